import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

/// The timeouts of clients that send slowly.
///
/// The server wakes up to a millisecond after a deadline.
@Suite(.simulated(seeds: 20)) struct HTTPServerDeadlineTests {
  private static func server(_ change: (inout HTTPServer.Options) -> Void) throws -> HTTPServer {
    var options = HTTPServer.Options()
    change(&options)
    return try HTTPServer(options: options) { HTTPServerTests.echo($0, $1) }
  }

  /// Returns a client that has received `count` responses.
  private static func answered(_ server: HTTPServer, times count: Int = 1) throws -> HTTPClient {
    let client = try HTTPClient(port: server.port)
    for _ in 0..<count {
      client.ask("/")
      #expect(try client.receiveAnswer().status == 200)
    }
    return client
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: test\r\nX-Slow: "])
  func headersHaveATimeInAll(beginning: String) throws {
    let server = try Self.server { $0.headerTimeout = .seconds(1) }
    let client = try expectDuration(1...1.002) {
      let client = try HTTPClient(port: server.port)
      client.send(beginning)
      client.trickle()
      return client
    }
    #expect(try client.receiveAll().isEmpty)
    _ = try Self.answered(server)
  }

  /// The first byte shows that a request has begun, long before its line is complete.
  @Test(arguments: ["GET / HTTP/1.1\r\n", "GE"])
  func headersOfALaterRequestHaveATimeInAll(beginning: String) throws {
    let server = try Self.server { options in
      options.headerTimeout = .seconds(1)
      options.idleTimeout = .seconds(1000)
    }
    let client = try Self.answered(server, times: 3)
    System.sleep(milliseconds: 5000)
    expectDuration(1...1.002) {
      client.send(beginning)
      client.trickle()
    }
    #expect(try client.receiveAll().isEmpty)
  }

  @Test func bodiesHaveATimeByTheirSize() throws {
    let server = try Self.server { options in
      options.bodyTimeout = .milliseconds(500)
      options.slowestBodyRate = 10_000
      options.bodyLimit = 30_000
    }
    // A body of unknown length may be as large as the limit.
    for (size, part, seconds) in [
      ("Content-Length: 10000", "x", 1.5), ("Transfer-Encoding: chunked", "1\r\nx\r\n", 3.5),
    ] {
      let client = try HTTPClient(port: server.port)
      expectDuration(seconds...seconds + 0.002) {
        client.send("PUT / HTTP/1.1\r\nHost: test\r\n\(size)\r\n\r\n")
        client.trickle(part)
      }
      #expect(try client.receiveAll().isEmpty)
    }
    #expect(try httpAnswer(server, "/", method: "PUT", body: [1, 2]).status == 200)
  }

  @Test func chunkedBodyHasATimeAlsoIfNoBodyIsAllowed() throws {
    let server = try Self.server { options in
      options.bodyTimeout = .milliseconds(500)
      options.bodyLimit = 0
    }
    let client = try HTTPClient(port: server.port)
    expectDuration(0.5...0.502) {
      client.send("PUT / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
      _ = client.hasBytes(milliseconds: 60_000)
    }
    #expect(try client.receiveAll().isEmpty)
  }

  @Test func clientThatSendsNothingIsDisconnected() throws {
    let server = try Self.server { options in
      options.headerTimeout = .seconds(10)
      options.idleTimeout = .seconds(3)
    }
    try expectDuration(3...3.002) { try HTTPClient(port: server.port).receiveAll() }
    try expectDuration(3...3.002) {
      let client = try HTTPClient(port: server.port)
      client.send("GET / HT")
      try client.receiveAll()
    }
    let client = try Self.answered(server)
    try expectDuration(2.999...3.002) { try client.receiveAll() }
  }

  @Test func answeredClientHasIdleTimeout() throws {
    let server = try Self.server { options in
      options.headerTimeout = .seconds(1)
      options.idleTimeout = .seconds(5)
    }
    let known = try Self.answered(server)
    System.sleep(milliseconds: 4900)
    known.ask("/again")
    #expect(try known.receiveAnswer().text.hasPrefix("GET /again\n"))
  }

  @Test func waitingClientIsNotDisconnectedByRequestTimeouts() throws {
    var options = HTTPServer.Options()
    options.headerTimeout = .seconds(2)
    options.bodyTimeout = .seconds(2)
    options.idleTimeout = .seconds(2)
    let kept = Lock<HTTPResponder?>(nil)
    let server = try HTTPServer(options: options) { _, responder in
      kept.withLock { $0 = responder }
    }
    let client = try HTTPClient(port: server.port)
    client.ask("/kept", method: "POST", body: [1, 2, 3])
    System.sleep(milliseconds: 5000)
    kept.withLock { $0 }?.respond(.text("late"))
    #expect(try client.receiveAnswer().text == "late")
  }

  @Test func rejectedClientThatKeepsSendingIsDisconnected() throws {
    var options = HTTPServer.Options()
    options.admission = { _ in .rejected(.text("no entry", status: 403)) }
    let server = try HTTPServer(options: options) { $1.respond(.text("reached")) }
    let client = try HTTPClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 8000000\r\n\r\nbody")
    #expect(try client.receiveAnswer().status == 403)
    // The server reads on, so that the client can read the response.
    expectDuration(1.999...2.003) { while client.send("x") { System.sleep(milliseconds: 1) } }
  }

  @Test func handlerHasATimeInAll() throws {
    var options = HTTPServer.Options()
    options.answerTimeout = .seconds(2)
    let kept = Lock<[HTTPResponder]>([])
    let server = try HTTPServer(options: options) { request, responder in
      if request.path == "/own" {
        responder.respond(after: .milliseconds(10), .text("my message", status: 504))
      }
      kept.withLock { $0.append(responder) }
    }
    // The server looks for late responses four times a second.
    let answer = try expectDuration(2...2.252) { try httpAnswer(server, "/") }
    #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
    kept.withLock { $0[0] }.respond(.text("too late"))
    // Each request may arrive at the moment at which the server begins to rest.
    for _ in 0..<20 {
      let own = try expectDuration(0.01...0.262) { try httpAnswer(server, "/own") }
      #expect(own.status == 504 && own.text == "my message")
    }
  }

  @Test(.needsSimulation) func failedAcceptDelaysOnlyWithoutDescriptors() throws {
    let server = try Self.server { _ in }
    let network = try #require(Simulation.current?.localNetwork)
    // The numbers of ECONNABORTED, EPROTO and ENETDOWN, and of EMFILE.
    network.failAccept([103, 71, 100])
    try expectDuration(0...0.001) { _ = try httpAnswer(server, "/") }
    network.failAccept([24])
    try expectDuration(0.1...0.102) { _ = try httpAnswer(server, "/") }
  }
}
