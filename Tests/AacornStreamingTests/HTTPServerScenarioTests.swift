import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import TestSignals
import Testing

@testable import AacornNetwork

/// Honest and hostile clients, on a network that delivers parts, in all orders of threads.
@Suite(.simulated(seeds: 60, with: .all)) struct HTTPServerScenarioTests {
  private static let headerTimeout = 2.0
  private static let idleTimeout = 3.0
  private static let drainTimeout = 2.0
  /// The maximum time by which a schedule, or the pause after a failed `accept`, delays a response.
  private static var delay: Double { Simulation.maxDelay > 0 ? 0.31 : 0.11 }

  /// The observations of all clients.
  private struct Observations {
    var mistakes: [String] = []
    var stopTime = Double.infinity
  }

  private let observations = Lock(Observations())

  // MARK: The server

  private static func options(_ limit: Int) -> HTTPServer.Options {
    var options = HTTPServer.Options()
    options.connectionLimit = limit
    options.headerTimeout = .seconds(headerTimeout)
    options.bodyTimeout = .seconds(headerTimeout)
    options.idleTimeout = .seconds(idleTimeout)
    options.answerTimeout = .seconds(5)
    options.admission = { request in
      if request.header("X-Pass") == "yes" { return .asGuest }
      return request.path == "/public"
        ? .asUnauthenticated : .rejected(.text("no entry", status: 403))
    }
    return options
  }

  /// Answers a path of an action and a number.
  private static func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
    let number = request.components.last.flatMap { Int($0) } ?? 0
    switch request.components.first {
    case "big": responder.respond(HTTPResponse(body: HTTPServerTests.bytes(number)))
    case "later":
      _ = System.startThread("test") {
        System.sleep(milliseconds: number)
        responder.respond(.text(request.path))
      }
    case "stream":
      let stream = HTTPStream()
      responder.respond(HTTPResponse(stream: stream))
      _ = System.startThread("test") {
        for index in 0..<number {
          System.sleep(milliseconds: index * 100)
          stream.push("piece \(index);")
        }
        stream.finish()
      }
    case "never": break
    default: responder.respond(HTTPResponse(body: request.body))
    }
  }

  // MARK: Honest clients

  private struct Exchange {
    var request: [UInt8]
    var status = 200
    var body: [UInt8]

    init(_ numbers: inout SeededNumbers, hasBody: Bool) {
      let pass = "Host: test\r\nX-Pass: yes\r\n"
      switch Int.random(in: hasBody ? 0..<6 : 2..<6, using: &numbers) {
      case 0, 1:
        body = HTTPServerTests.bytes(Int.random(in: 0...50_000, using: &numbers))
        if Bool.random(using: &numbers) {
          request = Array("PUT / HTTP/1.1\r\n\(pass)Content-Length: \(body.count)\r\n\r\n".utf8)
          request += body
          return
        }
        request = Array("PUT / HTTP/1.1\r\n\(pass)Transfer-Encoding: chunked\r\n\r\n".utf8)
        var rest = body[...]
        while !rest.isEmpty {
          let chunk = rest.prefix(Int.random(in: 1...9000, using: &numbers))
          request += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10]
          rest = rest.dropFirst(chunk.count)
        }
        request += Array("0\r\n\r\n".utf8)
      case 2:
        let count = Int.random(in: 0...300_000, using: &numbers)
        request = Array("GET /big/\(count) HTTP/1.1\r\n\(pass)\r\n".utf8)
        body = HTTPServerTests.bytes(count)
      case 3:
        let time = Int.random(in: 0...4000, using: &numbers)
        request = Array("GET /later/\(time) HTTP/1.1\r\n\(pass)\r\n".utf8)
        body = Array("/later/\(time)".utf8)
      case 4:
        let count = Int.random(in: 0...4, using: &numbers)
        request = Array("GET /stream/\(count) HTTP/1.1\r\n\(pass)\r\n".utf8)
        body = (0..<count).flatMap { Array("piece \($0);".utf8) }
      default:
        request = Array("GET /never HTTP/1.1\r\n\(pass)\r\n".utf8)
        body = []
        status = 503
      }
    }
  }

  /// Makes some connections, each with some requests, which may be sent before the first response.
  private func beHonest(_ port: Int, _ numbers: inout SeededNumbers) {
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      System.sleep(milliseconds: Int.random(in: 0...2000, using: &numbers))
      guard let client = try? HTTPClient(port: port) else {
        return record(if: System.seconds < stopTime, "An honest client cannot connect.")
      }
      let isPipelined = Bool.random(using: &numbers)
      let exchanges = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
        Exchange(&numbers, hasBody: !isPipelined)
      }
      if isPipelined { client.send(exchanges.flatMap(\.request)) }
      for exchange in exchanges {
        if !isPipelined { send(exchange.request, to: client, &numbers) }
        if Int.random(in: 0..<4, using: &numbers) == 0 {
          System.sleep(milliseconds: Int.random(in: 0...1500, using: &numbers))
        }
        do {
          let answer = try client.receiveAnswer()
          let isExpected =
            answer.status == exchange.status
            && (answer.status == 503 || answer.body == exchange.body)
          record(if: !isExpected, "\(answer.status) and \(answer.body.count) bytes were received.")
        } catch {
          let head = String(decoding: exchange.request.prefix(40), as: UTF8.self)
          record(if: System.seconds < stopTime, "No response to \(head): \(error)")
          return
        }
      }
    }
  }

  /// Sends a request in parts.
  private func send(_ bytes: [UInt8], to client: HTTPClient, _ numbers: inout SeededNumbers) {
    let cut = Int.random(in: 0...bytes.count, using: &numbers)
    client.send(Array(bytes[..<cut]))
    System.sleep(milliseconds: Int.random(in: 0...1000, using: &numbers))
    client.send(Array(bytes[cut...]))
  }

  // MARK: Hostile clients

  private enum Attack: CaseIterable {
    case silence, slowHeaders, slowBody, nonsense
    /// These clients are guests.
    case noReading, disconnection
  }

  /// Attacks from another address, and requires to be disconnected in time.
  private func attack(
    _ port: Int, asGuest isGuest: Bool, isCrowded: Bool, _ numbers: inout SeededNumbers
  ) {
    let kinds = isGuest ? Attack.allCases : [.silence, .slowHeaders, .slowBody, .nonsense]
    let kind = kinds.randomElement(using: &numbers) ?? .silence
    System.sleep(milliseconds: Int.random(in: 0...3000, using: &numbers))
    let start = System.seconds
    guard let client = try? HTTPClient(port: port, from: "203.0.113.1") else { return }
    var (least, most) = (Self.headerTimeout, Self.headerTimeout)
    switch kind {
    case .silence: _ = client.hasBytes(milliseconds: 60_000)
    case .slowHeaders:
      client.send("GET / HTTP/1.1\r\nX-Slow: ")
      client.trickle()
    case .slowBody:
      client.send("POST /public HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n")
      client.trickle()
      most += 1 + Double(1000) / 8192
    case .nonsense:
      let count = Int.random(in: 1...500, using: &numbers)
      client.send(Array(HTTPServerTests.bytes(count).shuffled(using: &numbers)))
      (least, most) = (0, Self.headerTimeout + Self.drainTimeout)
    case .noReading:
      // The body is larger than all buffers.
      client.ask("/big/2000000", headers: ["X-Pass: yes"])
      System.sleep(milliseconds: Int((Self.idleTimeout + 2 * Self.delay) * 1000))
      let count = (try? client.receiveAll().count) ?? .max
      record(if: count > 1_500_000, "A client that did not read received \(count) bytes.")
      return
    case .disconnection:
      client.send("GET /later/1000 HTTP/1.1\r\nX-Pass: yes\r\nHost: test\r\n\r\nGET /")
      System.sleep(milliseconds: Int.random(in: 0...1500, using: &numbers))
      return client.reset()
    }
    if kind == .nonsense { while client.send("x") { System.sleep(milliseconds: 10) } }
    let duration = System.seconds - start
    let isEarly = duration < least && !isCrowded && System.seconds < stopTime
    // A server that stops disconnects all clients after a second.
    if System.seconds > stopTime { most = max(most, stopTime + 1 - start) }
    record(
      if: isEarly || duration > most + 2 * Self.delay,
      "The attack \(kind) was ended after \(duration) s.")
  }

  private var stopTime: Double { observations.withLock { $0.stopTime } }

  private func record(if condition: Bool, _ mistake: String) {
    if condition { observations.withLock { $0.mistakes.append(mistake) } }
  }

  @Test func honestClientsAreServedAndOthersAreDisconnected() throws {
    var numbers = Simulation.numbers
    let limit = Int.random(in: 8...20, using: &numbers)
    let server = try HTTPServer(options: Self.options(limit)) { Self.handle($0, $1) }
    let honestCount = Int.random(in: 1...2, using: &numbers)
    let attackCount = Int.random(in: 0...16, using: &numbers)
    let isCrowded = attackCount + honestCount > limit / 2
    let port = server.port
    let threads = (0..<honestCount + attackCount).map { index in
      let seed = Int(truncatingIfNeeded: numbers.next())
      return WorkerThread("test") {
        var numbers = SeededNumbers(seed: seed)
        if index < honestCount {
          beHonest(port, &numbers)
        } else {
          attack(port, asGuest: index < honestCount + 2, isCrowded: isCrowded, &numbers)
        }
      }
    }
    if Int.random(in: 0..<4, using: &numbers) == 0 {
      System.sleep(milliseconds: Int.random(in: 0...5000, using: &numbers))
      observations.withLock { $0.stopTime = System.seconds }
      expectDuration(0...1 + 2 * Self.delay) { server.stop() }
    }
    for thread in threads { thread?.join() }
    // A client of the last response may still be connected.
    System.sleep(milliseconds: Int((Self.idleTimeout + 2 * Self.delay) * 1000))
    #expect(server.dispatcher.connections.count == 0)
    server.stop()
    #expect(observations.withLock { $0.mistakes } == [])
    if let network = Simulation.current?.localNetwork { #expect(network.socketCount == 0) }
  }
}
