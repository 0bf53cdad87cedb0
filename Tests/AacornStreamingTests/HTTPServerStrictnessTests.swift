import AacornSystem
import Foundation
import Simulation
import StreamRigs
import Testing

@testable import AacornNetwork

/// Requests that other servers might parse differently.
@Suite(.simulated(seeds: 2)) struct HTTPServerStrictnessTests {
  private static let plain = "POST / HTTP/1.1\r\nHost: test\r\n"

  /// Returns the status of the response to `text`, which must be the last one on the connection.
  private static func status(_ text: String) throws -> Int {
    let calls = Lock(0)
    let server = try HTTPServer { _, responder in
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

  /// With two hosts, one could be admitted and the other one used for the request.
  @Test(arguments: [
    ("http://test/", 200), ("HTTP://TEST", 200), ("https://test/a?b=http://other/", 200),
    ("http://other/", 400), ("http://test:80/", 400), ("http://", 400),
    ("http://other?/test", 400), ("http://test@other/", 400),
  ])
  func hostOfAbsoluteTargetMustMatchHostField(target: String, status: Int) throws {
    #expect(try Self.status("GET \(target) HTTP/1.1\r\nHost: test\r\n\r\n") == status)
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
