import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornWeb

/// The timeouts of clients that send slowly.
@Suite struct HTTPServerDeadlineTests {
  private static func server(_ change: (inout HTTPServer.Options) -> Void) throws -> HTTPServer {
    var options = HTTPServer.Options()
    change(&options)
    return try HTTPServer(options: options) { HTTPServerTests.echo($0, $1) }
  }

  /// Sends single bytes until the server disconnects; false if it does not.
  private static func trickle(_ client: HTTPServerClient, _ text: String) -> Bool {
    client.send(text)
    return eventually {
      client.send("x")
      // The server sends nothing except the end of the connection.
      return client.hasBytes(milliseconds: 50)
    }
  }

  /// Returns an idle client that has received `count` responses.
  ///
  /// A busy machine may delay a client beyond the server's timeout. The server then disconnects
  /// that client, and this function tries another one.
  private static func answered(
    _ server: HTTPServer, times count: Int = 1
  ) throws -> HTTPServerClient {
    var answered: HTTPServerClient?
    _ = eventually {
      guard let client = try? HTTPServerClient(port: server.port) else { return false }
      for _ in 0..<count {
        client.ask("/")
        guard (try? client.receiveAnswer())?.status == 200 else { return false }
      }
      answered = client
      return true
    }
    return try #require(answered, "The server answers.")
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: test\r\nX-Slow: "])
  func headersHaveATimeInAll(beginning: String) throws {
    // The client is never silent for long.
    let server = try Self.server { $0.headerTimeout = .seconds(1) }
    let client = try HTTPServerClient(port: server.port)
    #expect(Self.trickle(client, beginning))
    _ = try client.receiveAll()
    _ = try Self.answered(server)
  }

  @Test func headersOfALaterRequestHaveATimeInAll() throws {
    let server = try Self.server { $0.headerTimeout = .seconds(1) }
    let client = try Self.answered(server, times: 3)
    #expect(Self.trickle(client, "GET / HTTP/1.1\r\n"))
    _ = try client.receiveAll()
  }

  @Test func theFirstLineOfALaterRequestHasATimeInAll() throws {
    // Only the first byte shows that a request has begun, long before its line is complete.
    let server = try Self.server { options in
      options.headerTimeout = .seconds(1)
      options.idleTimeout = .seconds(1000)
    }
    let client = try Self.answered(server)
    #expect(Self.trickle(client, "GE"))
    _ = try client.receiveAll()
  }

  @Test func bodiesHaveATimeByTheirSize() throws {
    let server = try Self.server { options in
      options.bodyTimeout = .zero
      options.slowestBodyRate = 10_000
    }
    let head = "PUT / HTTP/1.1\r\nHost: test\r\n"
    let client = try HTTPServerClient(port: server.port)
    #expect(Self.trickle(client, head + "Content-Length: 10000\r\n\r\n"))
    _ = try client.receiveAll()

    let chunked = try HTTPServerClient(port: server.port)
    chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n")
    let isCutOff = eventually {
      chunked.send("1\r\nx\r\n")
      return chunked.hasBytes(milliseconds: 50)
    }
    #expect(isCutOff)
    _ = try chunked.receiveAll()

    // At this rate, two bytes would have 0.2 ms. The body timeout is longer and therefore applies.
    let longTimeouts = try Self.server { options in
      options.bodyTimeout = TestTimeout.duration
      options.slowestBodyRate = 10_000
    }
    #expect(try httpAnswer(longTimeouts, "/", method: "PUT", body: [1, 2]).status == 200)
  }

  @Test func answeredClientHasIdleTimeout() throws {
    let server = try Self.server { options in
      options.headerTimeout = .seconds(1)
      options.idleTimeout = TestTimeout.duration
    }
    // If a busy machine needs more than a second for the second request, the test retries.
    let mayBeIdle = try eventually {
      let known = try Self.answered(server)
      // Meanwhile the server disconnects a client that sends nothing.
      _ = try HTTPServerClient(port: server.port).receiveAll()
      known.ask("/again")
      return (try? known.receiveAnswer())?.text.hasPrefix("GET /again\n") == true
    }
    #expect(mayBeIdle)
  }

  @Test func idleClientIsDisconnectedAfterTimeout() throws {
    let server = try Self.server { $0.idleTimeout = .seconds(1) }
    _ = try Self.answered(server).receiveAll()
  }

  @Test func waitingClientIsNotDisconnectedByRequestTimeouts() throws {
    var options = HTTPServer.Options()
    options.headerTimeout = .seconds(2)
    options.bodyTimeout = .seconds(2)
    options.slowestBodyRate = 1 << 20
    let kept = Lock<HTTPResponder?>(nil)
    let server = try HTTPServer(options: options) { request, responder in
      if request.path == "/kept" {
        kept.withLock { $0 = responder }
      } else {
        responder.respond(.text("now"))
      }
    }
    var client = try HTTPServerClient(port: server.port)
    let isKept = try eventually {
      client.ask("/kept", method: "POST", body: [1, 2, 3])
      // Before the response, a client can only receive the end, if a busy machine has delayed it.
      _ = eventually { kept.withLock { $0 != nil } || client.hasBytes(milliseconds: 0) }
      if kept.withLock({ $0 != nil }) { return true }
      client = try HTTPServerClient(port: server.port)
      return false
    }
    #expect(isKept)
    // The server has disconnected later clients in the meantime.
    for _ in 0..<2 { _ = try HTTPServerClient(port: server.port).receiveAll() }
    kept.withLock { $0 }?.respond(.text("late"))
    #expect(try client.receiveAnswer().text == "late")
  }
}
