import AacornSystem
import Testing

@testable import AacornNetwork

/// The server's connections without a network.
///
/// The client is scripted.
@Suite struct HTTPServerConnectionTests {
  /// A connection whose client accepts bytes under the test's control.
  private final class ScriptedLink: ByteLink {
    weak var owner: ClientConnection?
    let pieceSize = 1000
    /// Whether the client accepts bytes only when the test says so.
    var isSlow = false
    private(set) var isReceiving = false
    private(set) var sent: [UInt8] = []
    private(set) var hasFinishedSending = false
    private(set) var isClosed = false
    private(set) var pieceCount = 0

    func receive() {
      #expect(!isReceiving && !isClosed)
      isReceiving = true
    }

    func send(_ bytes: [UInt8]) -> ByteSending {
      #expect(!bytes.isEmpty && !isClosed && !hasFinishedSending)
      sent += bytes
      pieceCount += 1
      return isSlow ? .pending : .done
    }

    func finishSending() { hasFinishedSending = true }

    func probeSilence() {}

    func close() { isClosed = true }

    // MARK: Test controls

    /// Delivers bytes from the client to the waiting server.
    func deliver(_ text: String) {
      #expect(isReceiving)
      isReceiving = false
      owner?.received(Array(text.utf8))
    }

    func end() {
      isReceiving = false
      owner?.ended()
    }

    /// Returns the bytes sent since the last call, without dates.
    func take() -> String {
      defer { sent = [] }
      return String(decoding: sent, as: UTF8.self)
        .split(separator: "\r\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("Date: ") && $0 != "X-Content-Type-Options: nosniff" }
        .joined(separator: "\n")
    }
  }

  /// Runs the server's work on the test's thread.
  private final class ScriptedCarrier: ByteCarrier {
    let port = 0
    private let works = Lock<[@Sendable () -> Void]>([])

    func perform(_ work: @escaping @Sendable () -> Void) { works.withLock { $0.append(work) } }

    func stop(_ work: @escaping @Sendable () -> Void) {
      run()
      work()
    }

    func run() {
      while let work = works.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
    }
  }

  /// A server with one client.
  private struct Rig {
    let dispatcher: RequestDispatcher
    let carrier = ScriptedCarrier()
    let link = ScriptedLink()

    init(_ handler: @escaping HTTPServer.Handler = { HTTPServerTests.echo($0, $1) }) {
      dispatcher = RequestDispatcher(HTTPServer.Options(), handler)
      dispatcher.accept(link, from: PeerAddress([192, 0, 2, 1]), through: carrier)
    }
  }

  private static let get = "GET / HTTP/1.1\r\nHost: test\r\n\r\n"
  private static let post = "POST / HTTP/1.1\r\nHost: test\r\n"

  @Test(arguments: ["\rx", "\r\n\r\n\r\n"])
  func responseToMalformedInputAfterHEADHasBody(input: String) {
    let rig = Rig()
    rig.link.deliver("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n")
    _ = rig.link.take()
    rig.link.deliver(input)
    let response = rig.link.take()
    #expect(response.hasPrefix("HTTP/1.1 400 ") && !response.hasSuffix("\n\n"))
  }

  @Test func inputReadAheadIsBounded() {
    let rig = Rig { _, _ in }
    rig.link.deliver(Self.get)
    let more = String(repeating: Self.get, count: 100)
    var count = 0
    while rig.link.isReceiving, count < 1000 {
      rig.link.deliver(more)
      count += 1
    }
    #expect(count < 10)
  }

  @Test func aSlowClientGetsOnePieceAfterTheOther() {
    let bytes = [UInt8](repeating: 65, count: 10_000)
    let rig = Rig { $1.respond(HTTPResponse(body: bytes)) }
    rig.link.isSlow = true
    rig.link.deliver(Self.get)
    var received: [UInt8] = []
    var round = 0
    while rig.link.pieceCount > round {
      round += 1
      #expect(rig.link.pieceCount == round)
      #expect(rig.link.sent.count <= 1000 + 1000)
      received += rig.link.sent
      _ = rig.link.take()
      rig.link.owner?.sent()
    }
    #expect(round > 5 && received.suffix(10_000) == bytes[...])
    #expect(rig.link.isReceiving)
  }

  // MARK: Bodies

  @Test func expectContinueReceives100() {
    let rig = Rig()
    let head = Self.post + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n"
    rig.link.deliver(head)
    #expect(rig.link.take() == "HTTP/1.1 100 Continue\n\n")
    rig.link.deliver("abc")
    #expect(rig.link.take().hasSuffix("\n\nPOST /\n3 bytes from 192.0.2.1"))
    // A client that has sent the body needs no 100 status, and a rejected client gets none.
    rig.link.deliver(head + "abc")
    #expect(rig.link.take().hasSuffix("\n\nPOST /\n3 bytes from 192.0.2.1"))
    rig.link.deliver(Self.post + "Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
    #expect(rig.link.take().hasPrefix("HTTP/1.1 413 Content Too Large\n"))
    #expect(rig.link.hasFinishedSending)
  }

  @Test func aStreamIsSentInChunksAndToOldClientsAsItIs() {
    for (version, parts) in [
      ("HTTP/1.1", ["Transfer-Encoding: chunked\n\n3\nabc\n", "2\nde\n", "0\n\n"]),
      ("HTTP/1.0", ["Connection: close\n\nabc", "de", ""]),
    ] {
      let stream = HTTPStream()
      let rig = Rig { $1.respond(HTTPResponse(stream: stream)) }
      stream.push("abc")
      rig.link.deliver("GET / \(version)\r\nHost: test\r\n\r\n")
      #expect(rig.link.take() == "HTTP/1.1 200 OK\n" + parts[0])
      stream.push("de")
      rig.carrier.run()
      #expect(rig.link.take() == parts[1])
      stream.finish()
      rig.carrier.run()
      #expect(rig.link.take() == parts[2])
      #expect(rig.link.hasFinishedSending == (version == "HTTP/1.0"))
      #expect(stream.isClosed)
    }
  }

  @Test func someAnswersHaveNoBody() {
    let rig = Rig { request, responder in
      var response = HTTPResponse(body: [1, 2, 3])
      response.status = Int(request.components[0]) ?? 0
      responder.respond(response)
    }
    for (line, head) in [
      ("GET /204", "HTTP/1.1 204 No Content\n\n"),
      ("HEAD /404", "HTTP/1.1 404 Not Found\nContent-Length: 3\n\n"),
      ("GET /304", "HTTP/1.1 304 Not Modified\n\n"),
    ] {
      rig.link.deliver(line + " HTTP/1.1\r\nHost: test\r\n\r\n")
      #expect(rig.link.take() == head)
    }
  }

  // MARK: Disconnection

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: test\r\nConnection: keep-alive, Close\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n", "GET /\r\n", "GET / HTTP/3.0\r\n",
    "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
  ])
  func inputAfterLastResponseIsDiscarded(text: String) {
    let rig = Rig()
    rig.link.deliver(text)
    #expect(rig.link.take().contains("\nConnection: close\n"))
    #expect(rig.link.hasFinishedSending && !rig.link.isClosed)
    for _ in 0..<10 { rig.link.deliver(Self.get) }
    #expect(rig.link.take().isEmpty)
    rig.link.end()
    #expect(rig.link.isClosed && rig.dispatcher.connections.count == 0)
  }
}

@Suite struct PeerAddressTests {
  @Test func oneClientHasOneNeighborhood() {
    #expect(PeerAddress([127, 0, 0, 1]).text == "127.0.0.1")
    #expect(PeerAddress([127, 3, 2, 1]).neighborhood == 0)
    #expect(PeerAddress([192, 0, 2, 1]).neighborhood == 0xC000_0201)
    let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1]
    let first = PeerAddress(network + [0, 0, 0, 0, 0, 0, 0, 7])
    #expect(first.text == "2001:db8:0:1::7")
    #expect(first.neighborhood == PeerAddress(network + [9, 9, 9, 9, 9, 9, 9, 9]).neighborhood)
    let loopback = [UInt8](repeating: 0, count: 15) + [1]
    #expect(PeerAddress(loopback).text == "::1" && PeerAddress(loopback).neighborhood == 0)
    let mapped = [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1]
    #expect(PeerAddress(mapped) == PeerAddress([192, 0, 2, 1]))
  }
}
