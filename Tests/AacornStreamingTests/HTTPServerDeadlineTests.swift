import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornWeb

/// The time that clients have, whatever they let trickle in.
@Suite(.eachEngine) struct HTTPServerDeadlineTests {
  private static func server(_ change: (inout HTTPServer.Options) -> Void) throws -> HTTPServer {
    var options = HTTPServer.Options()
    change(&options)
    return try HTTPServer(options: options) { HTTPServerTests.echo($0, $1) }
  }

  /// Sends a byte again and again until the server has had enough of it; false if it never has.
  private static func trickle(_ client: HTTPServerClient, _ text: String) -> Bool {
    client.send(text)
    return comesTrue {
      client.send("x")
      // Nothing is to come but the end.
      return client.hasBytes(milliseconds: 50)
    }
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: test\r\nX-Slow: "])
  func headersHaveATimeInAll(beginning: String) throws {
    // The client is never silent for long.
    let server = try Self.server { $0.headerTimeout = .seconds(1) }
    let client = try HTTPServerClient(port: server.port)
    #expect(Self.trickle(client, beginning))
    _ = try client.receiveAll()
    #expect(try httpAnswer(server, "/").status == 200)
  }

  @Test func headersOfALaterRequestHaveATimeInAll() throws {
    let server = try Self.server { $0.headerTimeout = .seconds(1) }
    let client = try HTTPServerClient(port: server.port)
    for _ in 0..<3 {
      client.ask("/")
      #expect(try client.receiveAnswer().status == 200)
    }
    #expect(Self.trickle(client, "GET / HTTP/1.1\r\n"))
    _ = try client.receiveAll()
  }

  @Test func theFirstLineOfALaterRequestHasATimeInAll() throws {
    // Only the first byte tells that a request has begun, long before its line is there.
    let server = try Self.server { options in
      options.headerTimeout = .seconds(1)
      options.idleTimeout = .seconds(1000)
    }
    let client = try HTTPServerClient(port: server.port)
    client.ask("/")
    #expect(try client.receiveAnswer().status == 200)
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
    let isCutOff = comesTrue {
      chunked.send("1\r\nx\r\n")
      return chunked.hasBytes(milliseconds: 50)
    }
    #expect(isCutOff)
    _ = try chunked.receiveAll()
    #expect(try httpAnswer(server, "/", method: "PUT", body: [1, 2]).status == 200)
  }

  @Test func whoHasAskedMayBeIdleForLonger() throws {
    let server = try Self.server { $0.headerTimeout = .seconds(1) }
    let known = try HTTPServerClient(port: server.port)
    known.ask("/")
    _ = try known.receiveAnswer()
    let silent = try HTTPServerClient(port: server.port)
    _ = try silent.receiveAll()
    known.ask("/again")
    #expect(try known.receiveAnswer().text.hasPrefix("GET /again\n"))
  }

  @Test func whoIsIdleForTooLongIsCutOff() throws {
    let server = try Self.server { $0.idleTimeout = .seconds(1) }
    let client = try HTTPServerClient(port: server.port)
    client.ask("/")
    _ = try client.receiveAnswer()
    _ = try client.receiveAll()
  }

  @Test func whoWaitsForAnAnswerHasTheTimeThatTheHandlerTakes() throws {
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
    let client = try HTTPServerClient(port: server.port)
    client.ask("/kept", method: "POST", body: [1, 2, 3])
    #expect(comesTrue { kept.withLock { $0 != nil } })
    // Others that come later have been cut off meanwhile.
    for _ in 0..<2 { _ = try HTTPServerClient(port: server.port).receiveAll() }
    kept.withLock { $0 }?.respond(.text("late"))
    #expect(try client.receiveAnswer().text == "late")
  }
}
