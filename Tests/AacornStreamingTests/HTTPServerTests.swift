import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

@Suite(.simulated(seeds: 5)) struct HTTPServerTests {
  static func echo(_ request: HTTPRequest, _ responder: HTTPResponder) {
    var text = "\(request.method) \(request.path)"
    for item in request.query { text += "\n\(item.name)=\(item.value)" }
    text += "\n\(request.body.count) bytes from \(request.remoteAddress)"
    responder.respond(.text(text))
  }

  /// A period that is not a multiple of the size of any buffer.
  private static let period = (0..<65_521).map {
    UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13)
  }

  /// Returns bytes that differ between positions, quickly even without optimization.
  static func bytes(_ count: Int) -> [UInt8] {
    var bytes = Array(period.prefix(count))
    while bytes.count < count { bytes += bytes.prefix(count - bytes.count) }
    return bytes
  }

  // MARK: Requests and responses

  @Test func aRequestReachesTheHandlerWithEverythingInIt() throws {
    let server = try HTTPServer { Self.echo($0, $1) }
    #expect(server.port > 0)
    #expect(server.url == "http://127.0.0.1:\(server.port)")
    let answer = try httpAnswer(
      server, "/a%20b/c?x=1%2B1&y=a+b&z", method: "POST", body: [1, 2, 3])
    #expect(answer.status == 200)
    #expect(answer.text == "POST /a b/c\nx=1+1\ny=a b\nz=\n3 bytes from 127.0.0.1")
    #expect(answer.headers["content-length"] == "\(answer.body.count)")
    #expect(answer.headers["x-content-type-options"] == "nosniff")
  }

  @Test func headersAreFoundWhateverTheirCase() throws {
    let server = try HTTPServer { request, responder in
      responder.respond(.text(request.header("X-Color") ?? "none"))
    }
    #expect(try httpAnswer(server, "/", headers: ["x-color: blue"]).text == "blue")
    #expect(try httpAnswer(server, "/").text == "none")
  }

  @Test func lineBreaksInHeadersBecomeSpaces() throws {
    let server = try HTTPServer { _, responder in
      var response = HTTPResponse.text("fine")
      response.headers += [
        HTTPField("X-One", "a\r\nX-Two: b\r\n\r\n<html>"), HTTPField("X Three", "c"),
        HTTPField("X-Four\r\nX-Five", "d"), HTTPField("Content-Length", "3"),
        HTTPField("Transfer-Encoding", "chunked"),
      ]
      responder.respond(response)
    }
    let answer = try httpAnswer(server, "/")
    #expect(answer.text == "fine")
    #expect(answer.headers["x-one"] == "a  X-Two: b    <html>")
    #expect(answer.headers["x-two"] == nil)
    for absent in ["three", "four", "five"] {
      #expect(answer.headers.keys.allSatisfy { !$0.contains(absent) })
    }
  }

  @Test func anAnswerMayComeLaterFromAnotherThread() throws {
    let waiting = Lock<[HTTPResponder]>([])
    let server = try HTTPServer { request, responder in
      if request.path == "/later" {
        waiting.withLock { $0.append(responder) }
      } else {
        responder.respond(.text("now"))
      }
    }
    let clients = try HTTPClient.asking(50, for: "/later", port: server.port)
    #expect(eventually { waiting.withLock { $0.count } == 50 })
    // Other requests are served during the wait.
    #expect(try httpAnswer(server, "/").text == "now")
    for client in clients { #expect(!client.hasBytes(milliseconds: 0)) }
    for responder in waiting.withLock({ $0 }) {
      #expect(!responder.isDone)
      responder.respond(.text("later"))
      responder.respond(.text("again"))
      #expect(responder.isDone)
    }
    for client in clients { #expect(try client.receiveAnswer().text == "later") }
  }

  // MARK: Limits

  @Test func aBodyBeyondTheLimitIsRefused() throws {
    var options = HTTPServer.Options()
    options.bodyLimit = 1000
    let calls = Lock(0)
    let server = try HTTPServer(options: options) { request, responder in
      calls.withLock { $0 += 1 }
      Self.echo(request, responder)
    }
    let fitting = [UInt8](repeating: 1, count: 1000)
    #expect(try httpAnswer(server, "/", method: "PUT", body: fitting).status == 200)

    // With an announced length, the body is rejected before it is sent.
    let client = try HTTPClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 1001\r\n\r\n")
    #expect(try client.receiveAnswer().status == 413)

    // Without an announced length, the body is rejected when it exceeds the limit.
    let chunked = try HTTPClient(port: server.port)
    chunked.send("PUT / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<3 { chunked.send("190\r\n" + String(repeating: "x", count: 400) + "\r\n") }
    chunked.send("0\r\n\r\n")
    #expect(try chunked.receiveAnswer().status == 413)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func headersBeyondTheMemoryAreRefused() throws {
    let server = try HTTPServer { Self.echo($0, $1) }
    let client = try HTTPClient(port: server.port)
    client.send("GET / HTTP/1.1\r\nHost: test\r\nX-Long: ")
    client.send(String(repeating: "y", count: 200_000) + "\r\n\r\n")
    #expect(try client.receiveHead().status == 431)
    #expect(try httpAnswer(server, "/").status == 200)
  }
}
