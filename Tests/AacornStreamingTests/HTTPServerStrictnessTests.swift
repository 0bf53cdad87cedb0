import AacornSystem
import Foundation
import Simulation
import StreamRigs
import Testing

@testable import AacornWeb

/// Requests that other servers might parse differently.
@Suite(.simulated(seeds: 2)) struct HTTPServerStrictnessTests {
  private static let plain = "POST / HTTP/1.1\r\nHost: test\r\n"

  /// Returns the status of the response to `text`, which must be the last one on the connection.
  private static func status(_ text: String, _ options: HTTPServer.Options = .init()) throws -> Int
  {
    let calls = Lock(0)
    let server = try HTTPServer(options: options) { _, responder in
      calls.withLock { $0 += 1 }
      responder.respond(.text("reached"))
    }
    let client = try HTTPClient(port: server.port)
    client.send(text)
    let answer = try client.receiveAnswer()
    if answer.status == 200 {
      #expect(answer.text == "reached")
    } else {
      #expect(calls.withLock { $0 } == 0)
      #expect(try client.receiveAll().isEmpty)
    }
    return answer.status
  }

  @Test(arguments: [
    "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
    "Content-Length: 3\r\nX: y\r\ncontent-length: 3\r\n\r\nabc",
    "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: gzip\r\n\r\n", "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: \r\n\r\n",
    "Content-Length : 3\r\n\r\nabc", "Content-Length\t: 3\r\n\r\nabc", "X : y\r\n\r\n",
    " X: y\r\n\r\n", "X Y: z\r\n\r\n", "X\u{1}: y\r\n\r\n", ": y\r\n\r\n", "no colon\r\n\r\n",
    "Content-Length: +3\r\n\r\nabc", "Content-Length: -1\r\n\r\n", "Content-Length: 3,3\r\n\r\nabc",
    "Content-Length: 0x3\r\n\r\nabc", "Content-Length: \r\n\r\n", "Content-Length: 3 3\r\n\r\nabc",
    "Content-Length: abc\r\n\r\n", "Content-Length: 9223372036854775808\r\n\r\n",
    "Content-Length: 18446744073709551615\r\n\r\n",
    // A continuation line, whatever it would continue.
    "X: y\r\n z\r\n\r\n", "Content-Length: 3\r\n 0\r\n\r\nabc",
    "Content-Lengt: 3\r\n\th\r\n\r\nabc",
    "X: y\r\n \r\n\r\n", "X: y\r\n  \r\nZ: a\r\n\r\n",
    // A zero byte ends the text that the library parses.
    "X: y\0z\r\n\r\n", "Content-Length: 3\0 0\r\n\r\nabc", "X\0: y\r\n\r\n",
    "X: y\r\n\0Z: a\r\n\r\n",
    "\0X: y\r\n\r\n", "\0\r\nContent-Length: 3\r\n\r\nabc",
    "X: y\rZ: a\r\n\r\n", "X: y\u{7F}\r\n\r\n", "Host: other\r\n\r\n",
  ])
  func ambiguousRequestIsRejected(rest: String) throws {
    #expect(try Self.status(Self.plain + rest) == 400)
  }

  /// With two hosts, one could be admitted and the other one used for the request.
  @Test(arguments: [
    ("http://test/", 200), ("HTTP://TEST", 200), ("https://test/a?b=http://other/", 200),
    ("http://other/", 400), ("http://test:80/", 400), ("http://", 400),
    ("http://other?/test", 400), ("http://test@other/", 400),
  ])
  func hostOfAbsoluteTargetMustMatchHostField(target: String, status: Int) throws {
    #expect(try Self.status("GET \(target) HTTP/1.1\r\nHost: test\r\n\r\n") == status)
  }

  @Test(arguments: [
    "POST / HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\nHost: test\r\n\r\n",
    "GET /a\tb HTTP/1.1\r\nHost: test\r\n\r\n", "GET /a?b\u{1}c HTTP/1.1\r\nHost: test\r\n\r\n",
    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /\0 HTTP/1.1\r\nHost: test\r\n\r\n", "GET /a?b\0c HTTP/1.1\r\nHost: test\r\n\r\n",
    "GE\0T / HTTP/1.1\r\nHost: test\r\n\r\n", "GET  / HTTP/1.1\r\nHost: test\r\n\r\n",
    "GET /  HTTP/1.1\r\nHost: test\r\n\r\n",
  ])
  func aFirstLineThatMakesNoSenseIsRefused(text: String) throws {
    #expect(try Self.status(text) == 400)
  }

  @Test(arguments: [
    "\r\n", "Content-Length: 3\r\n\r\nabc", "Content-Length:3\r\n\r\nabc",
    "Content-Length: \t 3\r\n\r\nabc", "CONTENT-LENGTH: 0003\r\n\r\nabc",
    "Content-Length: 0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "transfer-encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n",
    "X: \r\nY:\r\nZ:   \t \r\n\r\n", "X: a\tb: c\r\nX: a\r\n\r\n", "X: \u{E4}\u{20AC}\r\n\r\n",
    "Cookie: a=b; c=\"d; e\"\r\nCookie: f=g\r\n\r\n",
  ])
  func unambiguousRequestIsAnswered(rest: String) throws {
    #expect(try Self.status(Self.plain + rest) == 200)
  }

  @Test func anOldClientNeedNotNameAHost() throws {
    #expect(try Self.status("GET / HTTP/1.0\r\n\r\n") == 200)
    #expect(try Self.status("\r\nGET /?a HTTP/1.0\r\nHost: x\r\n\r\n") == 200)
  }

  @Test func everyRequestOfAConnectionIsChecked() throws {
    let server = try HTTPServer { HTTPServerTests.echo($0, $1) }
    let client = try HTTPClient(port: server.port)
    for size in [0, 1, 5000, 3] {
      client.ask(
        "/?a=\(size)", method: "POST", headers: ["X-Long: " + String(repeating: "y", count: size)],
        body: [UInt8](repeating: 1, count: size))
      #expect(
        try client.receiveAnswer().text == "POST /\na=\(size)\n\(size) bytes from 127.0.0.1")
    }
    client.send(Self.plain + "X: y\r\n z\r\n\r\nGET / HTTP/1.1\r\nHost: test\r\n\r\n")
    #expect(try client.receiveAnswer().status == 400)
    #expect(try client.receiveAll().isEmpty)
  }

  @Test func requestsThatComeTogetherAreEachRead() throws {
    let server = try HTTPServer { HTTPServerTests.echo($0, $1) }
    let client = try HTTPClient(port: server.port)
    let one = Self.plain + "Content-Length: 4\r\n\r\nabcd"
    client.send(String(repeating: one, count: 200))
    for _ in 0..<200 {
      #expect(try client.receiveAnswer().text == "POST /\n4 bytes from 127.0.0.1")
    }
  }

  @Test func headersMayComeByteByByte() throws {
    let server = try HTTPServer { HTTPServerTests.echo($0, $1) }
    let client = try HTTPClient(port: server.port)
    for byte in (Self.plain + "Content-Length: 2\r\nX: y\r\n\r\nab").utf8 { client.send([byte]) }
    #expect(try client.receiveAnswer().text == "POST /\n2 bytes from 127.0.0.1")
  }

  @Test(arguments: [1, 256, 257, 500, 1000, 5000])
  func aQueryOfManyItemsIsAnswered(count: Int) throws {
    for item in ["a=1", "a", "="] {
      let query = Array(repeating: item, count: count).joined(separator: "&")
      let status = try Self.status("GET /?\(query) HTTP/1.1\r\nHost: test\r\n\r\n")
      #expect(status == (count <= 256 ? 200 : 400))
    }
    // The empty text between two separators is not an item.
    let empty = String(repeating: "&", count: count)
    #expect(try Self.status("GET /?\(empty) HTTP/1.1\r\nHost: test\r\n\r\n") == 200)
  }

  @Test(arguments: [100, 300, 500, 1000, 2000])
  func manyHeadersAndCookiesAreAnswered(count: Int) throws {
    let headers = String(repeating: "a:b\r\n", count: count)
    let cookies = "Cookie: " + String(repeating: "a=b;", count: count) + "\r\n"
    for text in [headers, cookies] {
      let status = try Self.status("GET / HTTP/1.1\r\nHost: test\r\n\(text)\r\n")
      // A request has at most 2,000 header lines.
      #expect(status == (text == headers && count == 2000 ? 431 : 200))
    }
  }
}
