import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

/// Many clients at a time, and clients that misbehave.
@Suite(.simulated(seeds: 5)) struct HTTPServerClientsTests {
  @Test func manyClientsAtOnceGetEachTheirOwn() throws {
    let server = try HTTPServer { request, responder in
      let byte = UInt8(request.body.count)
      responder.respond(HTTPResponse(body: [UInt8](repeating: byte, count: 70_000)))
    }
    let mistakes = Lock(0)
    let threads = (0..<16).map { thread in
      WorkerThread("test") {
        for round in 0..<8 {
          let size = 1 + (thread * 8 + round) % 250
          let answer = try? httpAnswer(
            server, "/\(thread)/\(round)", method: "POST", body: [UInt8](repeating: 0, count: size))
          if answer?.body != [UInt8](repeating: UInt8(size), count: 70_000) {
            mistakes.withLock { $0 += 1 }
          }
        }
      }
    }
    for thread in threads { thread?.join() }
    #expect(mistakes.withLock { $0 } == 0)
  }

  /// More clients than there are slots connect before the server accepts the first one.
  @Test(.needsSimulation) func clientsOfACrowdAreReadBeforeOthersDisplaceThem() throws {
    var options = HTTPServer.Options()
    options.connectionLimit = 128
    let server = try HTTPServer(options: options) { $1.respond(.text($0.path)) }
    let clients = try HTTPClient.asking(200, for: "/", port: server.port)
    let answers = clients.map { try? $0.receiveAnswer().text }
    #expect(answers.allSatisfy { $0 == "/" }, "A client was disconnected before it was read.")
  }

  @Test(.needsSimulation) func crowdOfOtherMachinesLeavesLocalClientsConnected() throws {
    var options = HTTPServer.Options()
    options.connectionLimit = 32
    let server = try HTTPServer(options: options) { $1.respond(.text($0.path)) }
    func isAnswered(_ client: HTTPClient) -> Bool {
      client.ask("/")
      return (try? client.receiveAnswer().text) == "/"
    }
    let locals = try (0..<2).map { _ in try HTTPClient(port: server.port) }
    for local in locals { #expect(isAnswered(local)) }
    let others = try (1...100).map { number in
      let other = try HTTPClient(port: server.port, from: "203.0.113.\(number)")
      #expect(isAnswered(other))
      return other
    }
    for local in locals {
      #expect(isAnswered(local), "Clients of other machines have displaced a local one.")
    }
    for other in others { other.close() }
  }

  @Test func slowReaderGetsAllBytesWithoutDelayingOthers() throws {
    let bytes = HTTPServerTests.bytes(4_000_000)
    let server = try HTTPServer { request, responder in
      responder.respond(request.path == "/big" ? HTTPResponse(body: bytes) : .text("small"))
    }
    let slow = try HTTPClient(port: server.port, window: 4096)
    slow.ask("/big")
    #expect(try slow.receiveHead().headers["content-length"] == "4000000")
    for _ in 0..<20 { #expect(try httpAnswer(server, "/").text == "small") }
    #expect(try slow.receive(count: 4_000_000) == bytes)
  }

  // With a real connection, the rest of the bytes takes minutes to pass the small window.
  @Test(.needsSimulation) func aReaderWhoStopsReadingIsCutOff() throws {
    var options = HTTPServer.Options()
    options.idleTimeout = .seconds(3)
    let stream = HTTPStream(capacity: 1 << 20)
    let server = try HTTPServer(options: options) { $1.respond(HTTPResponse(stream: stream)) }
    let client = try HTTPClient(port: server.port, window: 4096)
    client.ask("/")
    _ = try client.receiveHead()
    let block = [UInt8](repeating: 7, count: 1 << 16)
    // The timeout counts from the last sent byte.
    while stream.push(block) == .taken {}
    expectDuration(2.999...3.003) {
      while !stream.isClosed { System.sleep(milliseconds: 1) }
    }
    #expect(try client.receiveAll().count < 4 << 20)
  }

  @Test func resetOfWaitingClientIsDetected() throws {
    let waiting = Lock<[HTTPResponder]>([])
    let server = try HTTPServer { _, responder in waiting.withLock { $0.append(responder) } }
    for index in 0..<40 {
      let client = try HTTPClient(port: server.port)
      client.ask("/")
      #expect(eventually { waiting.withLock { $0.count } == index + 1 })
      client.reset()
    }
    #expect(eventually { waiting.withLock { $0.allSatisfy(\.isDone) } })
    for responder in waiting.withLock({ $0 }) { responder.respond(.text("to nobody")) }
    #expect(try HTTPClient(port: server.port).send("x"))
  }

  @Test(arguments: ["GET", "POST", "PUT", "chunked"])
  func aClientThatHasFinishedSendingIsAnswered(method: String) throws {
    let waiting = Lock<[(HTTPRequest, HTTPResponder)]>([])
    let server = try HTTPServer { request, responder in
      if request.path == "/now" {
        responder.respond(.text("\(request.body.count)"))
      } else {
        waiting.withLock { $0.append((request, responder)) }
      }
    }
    let body = [UInt8](repeating: 7, count: method == "GET" ? 0 : 50_000)
    func ask(_ path: String) throws -> HTTPClient {
      let client = try HTTPClient(port: server.port)
      if method == "chunked" {
        client.send("POST \(path) HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
        client.send(Array("C350\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8))
      } else {
        client.ask(path, method: method, body: body)
      }
      client.finishSending()
      return client
    }
    let prompt = try ask("/now")
    #expect(try prompt.receiveAnswer().text == "\(body.count)")
    #expect(try prompt.receiveAll().isEmpty)

    let client = try ask("/later")
    #expect(eventually { waiting.withLock { $0.count } == 1 })
    // Once the server has noticed another disconnection, it has also checked this client.
    let other = try HTTPClient(port: server.port)
    other.ask("/other")
    #expect(eventually { waiting.withLock { $0.count } == 2 })
    other.reset()
    #expect(eventually { waiting.withLock { $0[1].1.isDone } })
    let (request, responder) = waiting.withLock { $0[0] }
    #expect(!responder.isDone)
    responder.respond(.text("\(request.body.count)"))
    #expect(try client.receiveAnswer().text == "\(body.count)")
    #expect(try client.receiveAll().isEmpty)
  }

  // MARK: Hostile requests

  @Test func pathsThatLeadElsewhereAreRefused() throws {
    let calls = Lock<[String]>([])
    let server = try HTTPServer { request, responder in
      calls.withLock { $0.append(request.path) }
      responder.respond(.text(request.path))
    }
    for path in [
      "/..", "/../etc/passwd", "/a/../b", "/%2e%2e/b", "/a/%2E%2e", "/.%2e/x", "/a%2Fb", "/a\\b",
      "/a%5c..%5cb", "/%00", "/a%00.m3u8", "/%", "/%4", "/%zz", "/%ff", "/.", "/a/./b", "a", "*",
      "/%0d%0aX-Evil:1", "http://other", "ftp://x/y", "/%c0%ae%c0%ae/",
    ] {
      #expect(try httpAnswer(server, path).status == 400, "\(path)")
    }
    #expect(calls.withLock { $0 } == [])
    #expect(try httpAnswer(server, "//a//b/").text == "/a/b")
    #expect(try httpAnswer(server, "/%252e%252e").text == "/%2e%2e")
    #expect(try httpAnswer(server, "http://test/x%20y").text == "/x y")
    #expect(try httpAnswer(server, "/...").text == "/...")
  }

  @Test func aLogLineHoldsWhatCannotBreakIt() {
    let request = HTTPRequest(method: "GET", components: ["a\u{1B}[2J\u{2028}\u{202E}b"])
    #expect(request.description == "GET /a\u{FFFD}[2J\u{FFFD}\u{FFFD}b")
  }
}

@Suite struct HTTPRangeTests {
  @Test(arguments: [
    ("bytes=0-0", HTTPRange.part(0..<1)), ("bytes=2-5", .part(2..<6)), ("bytes=7-", .part(7..<10)),
    ("bytes=7-99999999999999999999", .part(7..<10)), ("bytes=-3", .part(7..<10)),
    ("bytes=-30", .part(0..<10)), ("BYTES=9-9", .part(9..<10)), ("bytes=10-", .nothing),
    ("bytes=99999999999999999999-", .nothing), ("bytes=-0", .nothing), ("bytes=5-2", .everything),
    ("bytes=", .everything), ("bytes=-", .everything), ("bytes=0-1,3-4", .everything),
    ("lines=0-1", .everything), ("bytes=a-b", .everything), ("bytes 0-1", .everything),
    ("bytes=+1-2", .everything), ("bytes=1--2", .everything),
  ])
  func aRangeIsUnderstood(text: String, range: HTTPRange) {
    #expect(HTTPRange(text, of: 10) == range)
  }

  @Test func nothingHasNoParts() {
    #expect(HTTPRange("bytes=0-", of: 0) == .nothing)
    #expect(HTTPRange("bytes=-1", of: 0) == .nothing)
  }
}
