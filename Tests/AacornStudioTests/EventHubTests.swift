import AacornNetwork
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

@Suite("Event streams of pages", .simulated(seeds: 20)) struct EventHubTests {
  /// Creates a server that serves only events.
  private static func server(_ hub: EventHub) throws -> HTTPServer {
    try HTTPServer { $1.respond(hub.attach()) }
  }

  private static func listener(_ server: HTTPServer) throws -> StudioClient {
    let client = try StudioClient(port: server.port)
    client.ask("/")
    #expect(try client.head().headers["content-type"] == "text/event-stream")
    return client
  }

  @Test func newPageReceivesLatestStateThenEvents() throws {
    let hub = EventHub()
    let server = try Self.server(hub)
    hub.publish("state", "1")
    hub.publish("devices", "[]")
    hub.publish("state", "2")
    hub.sendMomentary("meter", "0")
    let client = try Self.listener(server)
    #expect(try client.event() == .init(name: "state", data: "2"))
    #expect(try client.event() == .init(name: "devices", data: "[]"))
    #expect(hub.listenerCount == 1)
    hub.sendMomentary("meter", "3")
    hub.publish("state", "4\n\r5")
    #expect(try client.event() == .init(name: "meter", data: "3"))
    #expect(try client.event() == .init(name: "state", data: "45"))
    client.close()
    #expect(eventually { hub.listenerCount == 0 })
  }

  @Test func watcherIsCalledForFirstPageOnly() throws {
    let hub = EventHub()
    let count = Lock(0)
    hub.onFirstListener { count.withLock { $0 += 1 } }
    let server = try Self.server(hub)
    let first = try Self.listener(server)
    let second = try Self.listener(server)
    #expect(count.withLock { $0 } == 1)
    first.close()
    second.close()
    #expect(eventually { hub.listenerCount == 0 })
    let third = try Self.listener(server)
    #expect(count.withLock { $0 } == 2)
    third.close()
  }

  @Test func twoPagesReceiveSameEvents() throws {
    let hub = EventHub()
    let server = try Self.server(hub)
    let pages = try (0..<2).map { _ in try Self.listener(server) }
    #expect(eventually { hub.listenerCount == 2 })
    for number in 0..<100 {
      hub.publish("state", "\(number)")
      hub.sendMomentary("meter", "\(number)")
    }
    for page in pages {
      for number in 0..<100 {
        #expect(try page.event() == .init(name: "state", data: "\(number)"))
        #expect(try page.event() == .init(name: "meter", data: "\(number)"))
      }
    }
  }

  @Test func heartbeatsAreSentWhileIdle() throws {
    let hub = EventHub(heartbeatMilliseconds: 50)
    let server = try Self.server(hub)
    let client = try Self.listener(server)
    #expect(try client.event() == nil)
    for _ in 0..<3 {
      let event = try expectDuration(0.045...0.055) { try client.event() }
      #expect(event == nil)
    }
    hub.publish("state", "1")
    var event = try client.event()
    while event == nil { event = try client.event() }
    #expect(event == .init(name: "state", data: "1"))
  }

  @Test func slowPageUsesLittleMemoryAndGetsLatestState() throws {
    let hub = EventHub(heartbeatMilliseconds: 20)
    let streams = Lock<[HTTPStream]>([])
    let server = try HTTPServer { _, responder in
      let response = hub.attach()
      if case .stream(let stream) = response.body { streams.withLock { $0.append(stream) } }
      responder.respond(response)
    }
    let slow = try Self.listener(server)
    let quick = try Self.listener(server)
    #expect(eventually { hub.listenerCount == 2 })
    let large = String(repeating: "x", count: 50_000)
    var count = 0
    var devices = ""
    // Until the system's buffers for the slow page have been full for 30 rounds.
    var roundsLeft = 30
    while roundsLeft > 0, count < 5000 {
      let isBehind = streams.withLock { $0.first?.pendingByteCount ?? 0 } > 0
      roundsLeft = isBehind ? roundsLeft - 1 : 30
      hub.sendMomentary("meter", "\(count)\(large)")
      hub.publish("state", "\(count)")
      if count % 7 == 0 {
        devices = "\(count)"
        hub.publish("devices", devices)
      }
      // A page that reads receives every state, whatever other pages do.
      while try quick.event() != .init(name: "state", data: "\(count)") {}
      #expect(streams.withLock { $0.allSatisfy { $0.pendingByteCount < 150_000 } })
      count += 1
    }
    #expect(roundsLeft == 0 && hub.listenerCount == 2)
    var latest: [String: String] = [:]
    var meterCount = 0
    while latest["state"] != "\(count - 1)" || latest["devices"] != devices {
      guard let event = try slow.event() else { continue }
      if event.name == "meter" { meterCount += 1 }
      // Events of one name arrive in order.
      if let before = latest[event.name].flatMap({ Int($0) }) {
        #expect(before < Int(event.data.prefix { $0 != "x" }) ?? -1)
      }
      latest[event.name] = String(event.data.prefix { $0 != "x" })
    }
    #expect(meterCount < count)
    hub.publish("state", "last")
    hub.sendMomentary("meter", "end")
    var names: Set<String> = []
    while names.count < 2 {
      guard let event = try slow.event() else { continue }
      if event.data == "last" || event.data == "end" { names.insert(event.name) }
    }
  }

  @Test func concurrentPublishersDeliverLatestToEveryPage() throws {
    let hub = EventHub(heartbeatMilliseconds: 5)
    let server = try Self.server(hub)
    let pages = try (0..<4).map { _ in try Self.listener(server) }
    #expect(eventually { hub.listenerCount == 4 })
    let threads = (0..<3).map { thread in
      WorkerThread("test") {
        for number in 0..<500 {
          hub.publish("of \(thread)", "\(number)" + String(repeating: " ", count: 400))
          hub.sendMomentary("moment", "\(number)")
        }
      }
    }
    for page in pages {
      var last = [-1, -1, -1]
      while last != [499, 499, 499] {
        guard let event = try page.event(), event.name.hasPrefix("of "),
          let thread = Int(event.name.dropFirst(3)),
          let number = Int(event.data.prefix { $0 != " " })
        else { continue }
        #expect(number > last[thread])
        last[thread] = number
      }
    }
    for thread in threads { thread?.join() }
  }

  @Test func closingEndsAllStreams() throws {
    let hub = EventHub()
    let server = try Self.server(hub)
    let pages = try (0..<10).map { _ in try Self.listener(server) }
    #expect(eventually { hub.listenerCount == 10 })
    hub.publish("state", "last")
    hub.close()
    for page in pages {
      #expect(try page.event() == .init(name: "state", data: "last"))
      #expect(throws: RigFailure.self) { try page.event() }
    }
    #expect(hub.listenerCount == 0)
    #expect(hub.attach().status == 503)
    hub.publish("state", "no page receives it")
  }

  @Test func aHubEndsWithItsLastReference() throws {
    weak var remains: EventHub?
    do {
      let hub = EventHub()
      remains = hub
      let server = try Self.server(hub)
      let client = try Self.listener(server)
      #expect(eventually { hub.listenerCount == 1 })
      server.stop()
      withExtendedLifetime(client) {}
    }
    #expect(eventually { remains == nil })
  }
}
