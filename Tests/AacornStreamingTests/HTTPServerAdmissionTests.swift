import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite(.simulated(seeds: 10)) struct HTTPServerAdmissionTests {
  private static func server(_ reached: Lock<Int>) throws -> HTTPServer {
    var options = HTTPServer.Options()
    options.headers = [HTTPField("X-Rule", "ours"), HTTPField("X-Other", "b")]
    options.admission = { request in
      request.header("X-Pass") == "yes" ? .asGuest : .rejected(.text("no entry", status: 403))
    }
    return try HTTPServer(options: options) { request, responder in
      reached.withLock { $0 += 1 }
      var response = HTTPResponse.text("\(request.body.count)")
      response.headers.append(HTTPField("x-rule", "mine"))
      responder.respond(response)
    }
  }

  @Test func rejectedRequestDoesNotReachHandler() throws {
    let reached = Lock(0)
    let server = try Self.server(reached)
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] {
      let body: [UInt8] = method == "POST" ? [1, 2, 3] : []
      let answer = try httpAnswer(server, "/", method: method, body: body)
      #expect(answer.status == 403)
    }
    #expect(reached.withLock { $0 } == 0)
    let answer = try httpAnswer(
      server, "/", method: "POST", headers: ["X-Pass: yes"], body: [1, 2])
    #expect(answer.status == 200 && answer.text == "2")
  }

  @Test func unauthenticatedClientsDoNotAffectGuests() throws {
    var options = HTTPServer.Options()
    options.connectionLimit = 8
    options.bodyLimit = 4000
    options.heldBodyLimit = 4000
    options.admission = { request in
      request.header("X-Pass") == "yes" ? .asGuest : .asUnauthenticated
    }
    let server = try HTTPServer(options: options) { request, responder in
      responder.respond(.text("\(request.body.count)"))
    }
    let few = [UInt8](repeating: 1, count: 1024)
    #expect(try httpAnswer(server, "/", method: "POST", body: few).text == "1024")
    #expect(try httpAnswer(server, "/", method: "POST", body: few + [1]).status == 413)
    let chunked = try HTTPClient(port: server.port)
    chunked.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n")
    chunked.send(few + [1])
    chunked.send("\r\n0\r\n\r\n")
    #expect(try chunked.receiveAnswer().status == 413)

    let kept = try HTTPClient(port: server.port)
    kept.ask("/", headers: ["X-Pass: yes"])
    #expect(try kept.receiveAnswer().status == 200)
    // More clients than there are slots, none of which completes its request.
    let unauthenticatedClients = try (0..<20).map { _ in try HTTPClient(port: server.port) }
    for unauthenticatedClient in unauthenticatedClients {
      unauthenticatedClient.send(
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\nbody")
    }
    let body = [UInt8](repeating: 1, count: 4000)
    #expect(
      try httpAnswer(server, "/", method: "POST", headers: ["X-Pass: yes"], body: body).text
        == "4000")
    kept.ask("/", headers: ["X-Pass: yes"])
    #expect(try kept.receiveAnswer().status == 200)
    // Three quarters of the slots remain for the others, long before their requests time out.
    expectDuration(0...1) {
      #expect(eventually { unauthenticatedClients.count { !$0.hasBytes(milliseconds: 0) } <= 6 })
    }
  }

  @Test func headersOfTheServerAreOnEveryAnswer() throws {
    let server = try Self.server(Lock(0))
    let refused = try httpAnswer(server, "/")
    #expect(refused.headers["x-rule"] == "ours" && refused.headers["x-other"] == "b")
    let answered = try httpAnswer(server, "/", headers: ["X-Pass: yes"])
    #expect(answered.headers["x-rule"] == "mine" && answered.headers["x-other"] == "b")
    #expect(answered.headers["x-content-type-options"] == "nosniff")
    let impossible = try httpAnswer(server, "/%zz", headers: ["X-Pass: yes"])
    #expect(impossible.status == 400 && impossible.headers["x-rule"] == "ours")
    let tooLarge = try httpAnswer(
      server, "/", method: "POST", headers: ["X-Pass: yes", "Content-Length: 99999999"])
    #expect(tooLarge.status == 413 && tooLarge.headers["x-rule"] == "ours")
  }
}

@Suite struct HTTPFormTests {
  private static func form(
    _ body: String, type: String = "application/x-www-form-urlencoded"
  ) -> [HTTPField]? {
    HTTPRequest(
      method: "POST", headers: [HTTPField("content-type", type)], body: Array(body.utf8)
    ).form()
  }

  @Test func fieldsComeDecodedAndInOrder() {
    #expect(
      Self.form("a=1&b=x+y%2Bz&a=2&c&=d&e=%C3%A4=", type: "Application/X-WWW-Form-URLEncoded;c=u")
        == [
          HTTPField("a", "1"), HTTPField("b", "x y+z"), HTTPField("a", "2"), HTTPField("c", ""),
          HTTPField("", "d"), HTTPField("e", "ä="),
        ])
    #expect(Self.form("") == [])
    #expect(Self.form("&&") == [])
  }

  @Test(arguments: ["a=%", "a=%4", "%zz=1", "a=%FF", "a=\u{FFFD}&b=%C3"])
  func malformedFormIsNil(body: String) {
    #expect(Self.form(body) == nil)
  }

  @Test func otherContentTypeIsNotParsedAsForm() {
    #expect(Self.form("a=1", type: "text/plain") == nil)
    #expect(Self.form("a=1", type: "application/x-www-form-urlencoded2") == nil)
    #expect(HTTPRequest(body: Array("a=1".utf8)).form() == nil)
  }

  @Test func thereIsABoundToFields() {
    let fields = Array(repeating: "a=1", count: 256).joined(separator: "&")
    #expect(Self.form(fields)?.count == 256)
    #expect(Self.form(fields + "&a=1") == nil)
  }
}
