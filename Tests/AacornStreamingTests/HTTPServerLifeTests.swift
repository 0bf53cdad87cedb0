import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// The start and the end of a server.
@Suite(.simulated(seeds: 10)) struct HTTPServerLifeTests {
  private static func server(
    at address: String = "127.0.0.1", port: Int = 0, options: HTTPServer.Options = .init()
  ) throws -> HTTPServer {
    try HTTPServer(address: address, port: port, options: options) {
      HTTPServerTests.echo($0, $1)
    }
  }

  /// A server that keeps all responders, with clients that wait for their responses.
  private struct Waiting {
    let server: HTTPServer
    let clients: [HTTPClient]
    private let kept: Lock<[HTTPResponder]>

    init(_ count: Int) throws {
      let kept = Lock<[HTTPResponder]>([])
      self.kept = kept
      server = try HTTPServer { _, responder in kept.withLock { $0.append(responder) } }
      clients = try HTTPClient.asking(count, for: "/", port: server.port)
      #expect(eventually { kept.withLock { $0.count } == count })
    }

    var responders: [HTTPResponder] { kept.withLock { $0 } }
  }

  @Test func aPortInUseIsNamed() throws {
    let server = try Self.server()
    let message = expectNetworkError(.taken) { try Self.server(port: server.port) }
    #expect(
      message
        == "Port \(server.port) of 127.0.0.1 is in use by another program. Choose another port, or"
        + " 0 for any free one.")
  }

  @Test(.realTime) func invalidListenAddressThrows() {
    for (address, kind) in [
      ("192.0.2.7", NetworkError.Kind.unreachable), ("nonsense", .unsupported),
      ("a\u{1B}[31mb", .unsupported), ("", .unsupported),
    ] {
      let message = expectNetworkError(kind) { try Self.server(at: address) }
      #expect(!message.contains("\u{1B}"))
    }
    let error = #expect(throws: NetworkError.self) { try Self.server(port: 70_000) }
    #expect(error?.message == "Port 70000 does not exist: ports range from 1 to 65535.")
    #expect(
      HTTPListener.failure(.accessDenied, address: "127.0.0.1", port: 80).message
        == "Listening on 127.0.0.1:80 is not permitted. Ports below 1024 are reserved."
        + " Choose a higher port.")
  }

  private var keeping: HTTPServer.Options {
    var options = HTTPServer.Options()
    options.reservesIPv6Loopback = true
    return options
  }

  @Test(.realTime, arguments: ["127.0.0.1", "0.0.0.0", "localhost"])
  func reservedLoopbackBlocksOtherServers(_ address: String) throws {
    let server = try Self.server(at: address, options: keeping)
    #expect(try httpAnswer(server, "/").status == 200)
    #expect(server.isLocalhost)
    for other in ["::1", "::"] {
      expectNetworkError(.taken) {
        try Self.server(at: other, port: server.port)
      }
    }
    server.stop()
    #expect(!server.isLocalhost)
    _ = OpenFile(try System.reservePort(server.port, of: "::1"))
  }

  @Test(.realTime) func serverReportsOtherHostIfIPv6LoopbackIsTaken() throws {
    // The other server's port may be in use at the second address.
    var server: HTTPServer?
    var foreignServer: HTTPServer?
    for _ in 0..<20 where server == nil {
      foreignServer = try Self.server(at: "::1")
      server = try? Self.server(port: foreignServer?.port ?? 0, options: keeping)
    }
    #expect(try httpAnswer(#require(server), "/").status == 200)
    #expect(server?.isLocalhost == false)
  }

  @Test func loopbackIsNotReservedByDefault() throws {
    let server = try Self.server()
    #expect(!server.isLocalhost)
    _ = OpenFile(try System.reservePort(server.port, of: "::1"))
  }

  @Test(.realTime) func serverListensOnIPv6() throws {
    let server = try Self.server(at: "::1")
    #expect(server.url == "http://[::1]:\(server.port)")
    // Its socket accepts no IPv4 connections.
    #expect(throws: RigFailure.self) { try HTTPClient(port: server.port) }
    let both = try Self.server(at: "::")
    #expect(try httpAnswer(both, "/").text.hasSuffix("127.0.0.1"))
  }

  @Test func aStoppedServerFreesItsPort() throws {
    let server = try Self.server()
    let client = try HTTPClient(port: server.port)
    client.ask("/")
    _ = try client.receiveAnswer()
    server.stop()
    server.stop()
    #expect(try client.receiveAll().isEmpty)
    let next = try Self.server(port: server.port)
    #expect(try httpAnswer(next, "/").status == 200)
  }

  @Test func aServerEndsWithItsLastReference() throws {
    var server: HTTPServer? = try Self.server()
    let port = try #require(server?.port)
    server = nil
    #expect(throws: RigFailure.self) { try HTTPClient(port: port) }
  }

  /// The server answers the first request and stops during the second.
  @Test func keptRespondersDoNotKeepTheServer() throws {
    weak var remains: RequestDispatcher?
    var responders: [HTTPResponder] = []
    do {
      let waiting = try Waiting(2)
      remains = waiting.server.dispatcher
      responders = waiting.responders
      responders[0].respond(.text("in time"))
      waiting.server.stop()
      for client in waiting.clients { _ = try client.receiveAll() }
    }
    #expect(eventually { remains == nil })
    #expect(responders.map(\.isDone) == [true, true])
  }

  @Test func aHandlerMayReleaseTheLastReference() throws {
    let server = Lock<HTTPServer?>(nil)
    server.withLock {
      $0 = try? HTTPServer { _, _ in
        _ = server.withLock { server in
          defer { server = nil }
          return server
        }
      }
    }
    let port = try #require(server.withLock { $0?.port })
    let client = try HTTPClient(port: port)
    client.ask("/")
    #expect(try client.receiveAll().isEmpty)
    #expect(server.withLock { $0 == nil })
    #expect(eventually { (try? HTTPClient(port: port)) == nil })
  }

  @Test func stoppingEndsRequestsThatWait() throws {
    let waiting = try Waiting(100)
    waiting.server.stop()
    for client in waiting.clients { _ = try client.receiveAll() }
    for responder in waiting.responders {
      #expect(responder.isDone)
      responder.respond(.text("to nobody"))
    }
  }

  @Test func answersThatRaceWithTheEndDoNoHarm() throws {
    for _ in 0..<2 {
      let waiting = try Waiting(10)
      let responders = waiting.responders
      let answering = WorkerThread("test") {
        for responder in responders { responder.respond(.text("just in time")) }
      }
      waiting.server.stop()
      answering?.join()
      for client in waiting.clients { _ = try client.receiveAll() }
    }
  }

  @Test func startedResponsesAreCompletedOnStop() throws {
    // So few bytes fit in the system's buffer, before the clients read them.
    let bytes = [UInt8](repeating: 7, count: 20_000)
    for _ in 0..<2 {
      let waiting = try Waiting(20)
      for responder in waiting.responders { responder.respond(HTTPResponse(body: bytes)) }
      waiting.server.stop()
      for client in waiting.clients { #expect(try client.receiveAnswer().body == bytes) }
    }
  }

  @Test func slowClientIsCutOffOnStop() throws {
    let server = try HTTPServer {
      $1.respond(HTTPResponse(body: [UInt8](repeating: 7, count: 8_000_000)))
    }
    let client = try HTTPClient(port: server.port, window: 4096)
    client.ask("/")
    _ = try client.receiveHead()
    expectDuration(1...1.002) { server.stop() }
    #expect(throws: RigFailure.self) { try client.receive(count: 7_999_999) }
  }
}
