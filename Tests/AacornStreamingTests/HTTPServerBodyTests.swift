import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

/// The memory of a server for bodies.
@Suite(.simulated(seeds: 5)) struct HTTPServerBodyTests {
  @Test func bodiesTogetherHaveABound() throws {
    var options = HTTPServer.Options()
    options.bodyLimit = 1000
    options.heldBodyLimit = 2500
    let waiting = Lock<[HTTPResponder]>([])
    let server = try HTTPServer(options: options) { request, responder in
      if request.path == "/kept" {
        waiting.withLock { $0.append(responder) }
      } else {
        responder.respond(.text("\(request.body.count)"))
      }
    }
    let head = "PUT /kept HTTP/1.1\r\nHost: test\r\n"
    // One client has sent its body and waits; another has not sent its body yet.
    let first = try HTTPClient(port: server.port)
    first.ask("/kept", method: "PUT", body: [UInt8](repeating: 1, count: 1000))
    #expect(eventually { waiting.withLock { $0.count } == 1 })
    let second = try HTTPClient(port: server.port)
    second.send(head + "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
    #expect(try second.receiveHead().status == 100)

    // The server rejects the request before the body, whether or not the size is known.
    for size in ["Content-Length: 501", "Transfer-Encoding: chunked"] {
      let third = try HTTPClient(port: server.port)
      third.send(head + size + "\r\n\r\n")
      let refused = try third.receiveAnswer()
      #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
    }
    // A body that fits is accepted, and so is a request without a body.
    let small = [UInt8](repeating: 1, count: 500)
    #expect(try httpAnswer(server, "/", method: "PUT", body: small).text == "500")
    #expect(try httpAnswer(server, "/").text == "0")

    // A response and a disconnection both free memory.
    for responder in waiting.withLock({ $0 }) { responder.respond(.text("kept")) }
    #expect(try first.receiveAnswer().text == "kept")
    second.reset()
    let large = [UInt8](repeating: 1, count: 1000)
    let clients = try (0..<2).map { _ in try HTTPClient(port: server.port) }
    #expect(
      eventually {
        (try? httpAnswer(server, "/", method: "PUT", body: large).text) == "1000"
      })
    waiting.withLock { $0 = [] }
    for (index, client) in clients.enumerated() {
      client.ask("/kept", method: "PUT", body: large)
      #expect(eventually { waiting.withLock { $0.count } == index + 1 })
    }
    #expect(try httpAnswer(server, "/", method: "PUT", body: large).status == 503)
    for responder in waiting.withLock({ $0 }) { responder.respond(.text("kept")) }
    for client in clients { #expect(try client.receiveAnswer().text == "kept") }
  }

  @Test func longBodiesLeaveRoomForShortOnes() throws {
    var options = HTTPServer.Options()
    options.bodyLimit = 1 << 16
    options.heldBodyLimit = 4 << 16
    let server = try HTTPServer(options: options) { $1.respond(.text("\($0.body.count)")) }
    func begin(_ size: Int) throws -> (client: HTTPClient, status: Int) {
      let client = try HTTPClient(port: server.port)
      client.send(
        "PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: \(size)\r\nExpect: 100-continue\r\n\r\n")
      return (client, try client.receiveHead().status)
    }
    // Rejected bodies hold nothing: if they did, the last request below would never succeed.
    let long = try (0..<6).map { _ in try begin(1 << 16) }
    #expect(long.map(\.status) == [100, 100, 100, 503, 503, 503])
    // The quarter for short bodies has a bound, too.
    let short = try (0..<17).map { _ in try begin(1 << 12) }
    #expect(short.map(\.status) == [Int](repeating: 100, count: 16) + [503])
    for (client, _) in long + short { client.reset() }
    #expect(
      eventually {
        (try? httpAnswer(server, "/", method: "PUT", body: [UInt8](repeating: 1, count: 1 << 16))
          .text)
          == "65536"
      })
  }

  @Test func aBodyAsLargeAsMayBeAlwaysFits() throws {
    var options = HTTPServer.Options()
    options.bodyLimit = 100_000
    options.heldBodyLimit = 10
    let server = try HTTPServer(options: options) { HTTPServerTests.echo($0, $1) }
    let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(
      try httpAnswer(server, "/", method: "PUT", body: body).text
        == "PUT /\n100000 bytes from 127.0.0.1")
  }

  @Test func aBodyTakesNoMoreThanIsAnnounced() throws {
    var options = HTTPServer.Options()
    options.bodyLimit = 1 << 20
    let capacity = Lock(0)
    let server = try HTTPServer(options: options) { request, responder in
      capacity.withLock { $0 = request.body.capacity }
      responder.respond(.text("\(request.body.reduce(0) { $0 &+ UInt64($1) })"))
    }
    for count in [1, 32, 33_000, 700_000, 1 << 20] {
      let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let sum = body.reduce(0) { $0 &+ UInt64($1) }
      #expect(try httpAnswer(server, "/", method: "PUT", body: body).text == "\(sum)")
      // Memory is allocated in pages.
      #expect(capacity.withLock { $0 } <= count + 8192)
    }
  }

  @Test(arguments: ["Content-Length: 8000000", "Transfer-Encoding: chunked"])
  func clientRejectedWhileSendingReceivesResponse(size: String) throws {
    var options = HTTPServer.Options()
    options.admission = { _ in .rejected(.text("no entry", status: 403)) }
    let server = try HTTPServer(options: options) { $1.respond(.text("reached")) }
    let client = try HTTPClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nHost: test\r\n\(size)\r\n\r\n")
    // Far more than the buffers of both sides.
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
    for _ in 0..<8 { #expect(client.send(piece)) }
    let answer = try client.receiveAnswer()
    #expect(answer.status == 403 && answer.text == "no entry")
    #expect(answer.headers["connection"] == "close")
    #expect(client.receive() == [])
  }

  @Test func endlessRejectedBodyIsDisconnected() throws {
    var options = HTTPServer.Options()
    options.admission = { _ in .rejected(.text("no entry", status: 403)) }
    let server = try HTTPServer(options: options) { $1.respond(.text("reached")) }
    // More clients than the server drains at a time, one of which sends again and again.
    let clients = try (0..<40).map { _ in try HTTPClient(port: server.port) }
    for client in clients {
      client.send("PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 8000000\r\n\r\nbody")
      #expect(try client.receiveAnswer().status == 403)
    }
    // The last clients are disconnected at once, and the first ones after two seconds.
    expectDuration(0...0.002) { while clients[39].send("x") { System.sleep(milliseconds: 1) } }
    expectDuration(1.9...2.003) { while clients[0].send("x") { System.sleep(milliseconds: 1) } }
    #expect(try httpAnswer(server, "/").status == 403)
  }
}
