import TestSignals
import Testing

@testable import AacornNetwork

/// The parser of requests, for input in pieces of any size.
@Suite struct HTTPRequestReaderTests {
  private static let plain = "POST /a?b HTTP/1.1\r\nHost: test\r\n"

  /// Returns a summary of the parsed input: the first line of a request, its body, and `.` at its
  /// end.
  private static func read(
    _ text: String, inPiecesOf size: Int = .max, _ limits: HTTPRequestReader.Limits = .init()
  ) -> [String] {
    read(Array(text.utf8), inPiecesOf: size, limits)
  }

  private static func read(
    _ bytes: [UInt8], inPiecesOf size: Int, _ limits: HTTPRequestReader.Limits = .init()
  ) -> [String] {
    var reader = HTTPRequestReader(limits)
    var words: [String] = []
    var body: [UInt8] = []
    var rest = bytes[...]
    while true {
      let event = reader.next()
      if case .body(let part) = event {
        #expect(!part.isEmpty)
        body += part
        continue
      }
      if !body.isEmpty && event != .more {
        words.append(String(decoding: body, as: UTF8.self))
        body = []
      }
      switch event {
      case .begun: words.append("begun")
      case .head(let head): words.append("\(head.method) \(head.target) \(head.fields.count)")
      case .body: break
      case .end: words.append(".")
      case .fault(let fault): words.append("\(fault.status)")
      case .more:
        // The reader keeps at most an incomplete line.
        #expect(reader.pendingCount <= max(limits.head, limits.chunkLine) + 1)
        if rest.isEmpty { return words }
        reader.feed(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 7, .max])
  func requestsAreTheSameInPiecesOfAnySize(size: Int) {
    let text =
      "\r\n" + Self.plain + "Content-Length: 3\r\n\r\nabc"
      + "GET / HTTP/1.0\r\n\r\n" + Self.plain
      + "Transfer-Encoding: chunked\r\n\r\n3;x=\"y\"\r\nabc\r\n00A \t; z\r\n0123456789\r\n0\r\n"
      + "X-Sum: 7\r\n\r\n\r\nDELETE /c HTTP/1.1\r\nhost:x\r\ncontent-length: 000\r\n\r\n"
    #expect(
      Self.read(text, inPiecesOf: size) == [
        "begun", "POST /a?b 2", "abc", ".", "begun", "GET / 0", ".", "begun", "POST /a?b 2",
        "abc0123456789", ".", "begun", "DELETE /c 2", ".",
      ])
  }

  @Test func fieldsKeepTheirOrderAndLoseTheBlanksAroundThem() {
    var reader = HTTPRequestReader()
    reader.feed(Array("GET / HTTP/1.7\r\nHost:\t test \r\nX:\r\nx: a\tb \u{E4}:\r\n\r\n".utf8))
    #expect(reader.next() == .begun)
    guard case .head(let head) = reader.next() else { return #expect(Bool(false)) }
    #expect(head.version == "HTTP/1.1")
    #expect(
      head.fields == [
        HTTPField("Host", "test"), HTTPField("X", ""), HTTPField("x", "a\tb \u{E4}:"),
      ])
    #expect(reader.isInsideRequest)
    #expect(reader.next() == .end)
    #expect(!reader.isInsideRequest && reader.pendingCount == 0)
    #expect(reader.next() == .more)
  }

  // MARK: Ambiguous requests

  @Test(arguments: [
    "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "Content-Length: 3\r\nX: y\r\ncontent-length: 4\r\n\r\nabc",
    "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: gzip\r\n\r\n", "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: \r\n\r\n", "Transfer-Encoding: chunked, identity\r\n\r\n",
    "Transfer-Encoding: xchunked\r\n\r\n",
    "Content-Length : 3\r\n\r\nabc", "Content-Length\t: 3\r\n\r\nabc", "X : y\r\n\r\n",
    "X\t: y\r\n\r\n", " X: y\r\n\r\n", "\tX: y\r\n\r\n", "no colon\r\n\r\n", ": y\r\n\r\n",
    "X Y: z\r\n\r\n", "X\u{1}: y\r\n\r\n", "X: y\u{7F}\r\n\r\n", "X: \u{B}\r\n\r\n",
    // Continuation lines, whatever they would continue.
    "X: y\r\n z\r\n\r\n", "Content-Length: 3\r\n 0\r\n\r\nabc",
    "Content-Lengt: 3\r\n\th\r\n\r\nabc", "X: y\r\n \r\n\r\n", "X: y\r\n  \r\nZ: a\r\n\r\n",
    "X: y\rZ: a\r\n\r\n", "X: y\nZ: a\r\n\r\n", "X: y\n\n", "\n", "\rX: y\r\n\r\n",
    "X: y\r\r\n\r\n",
    "X\0: y\r\n\r\n", "X: y\0z\r\n\r\n", "Content-Length: 3\0 0\r\n\r\nabc",
    "X: y\r\n\0Z: a\r\n\r\n", "\0X: y\r\n\r\n", "\0\r\nContent-Length: 3\r\n\r\nabc",
    "Content-Length: +3\r\n\r\nabc", "Content-Length: -1\r\n\r\n",
    "Content-Length: 3,3\r\n\r\nabc", "Content-Length: 0x3\r\n\r\nabc",
    "Content-Length: \r\n\r\n", "Content-Length: 3 3\r\n\r\nabc",
    "Content-Length: abc\r\n\r\n", "Content-Length: \u{663}\r\n\r\nabc",
    "Content-Length: 9223372036854775808\r\n\r\n", "Content-Length: 18446744073709551615\r\n\r\n",
    "Host: other\r\n\r\n",
  ])
  func headThatProxiesInterpretDifferentlyIsRejected(rest: String) {
    for size in [1, .max] {
      let hidden = "GET /hidden HTTP/1.1\r\nHost: test\r\n\r\n"
      #expect(Self.read(Self.plain + rest + hidden, inPiecesOf: size) == ["begun", "400"])
    }
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
  func unambiguousRequestIsAnswered(rest: String) {
    let words = Self.read(Self.plain + rest)
    #expect(words.last == "." && words.contains("abc") == rest.contains("abc"))
  }

  @Test(arguments: [
    ("GET /\r\n", 400), ("GET / \r\n", 400), ("GET  / HTTP/1.1\r\n", 400),
    ("GET /  HTTP/1.1\r\n", 400), ("GET / HTTP/1.1 \r\n", 400), (" GET / HTTP/1.1\r\n", 400),
    ("GET /a b HTTP/1.1\r\n", 400), ("GET\t/ HTTP/1.1\r\n", 400), ("GET /a\tb HTTP/1.1\r\n", 400),
    ("GET /\0 HTTP/1.1\r\n", 400), ("GE\0T / HTTP/1.1\r\n", 400), ("G(T / HTTP/1.1\r\n", 400),
    ("GET /\u{7F} HTTP/1.1\r\n", 400), ("GET / http/1.1\r\n", 400), ("GET / HTTP/1\r\n", 400),
    ("GET / HTTP/1.10\r\n", 400), ("GET / HTTP/x.1\r\n", 400), ("GET / HTTP/1,1\r\n", 400),
    ("GET / HTTP/2.0\r\n", 505), ("GET / HTTP/0.9\r\n", 505), ("PRI * HTTP/2.0\r\n", 505),
    ("GET / HTTP/1.1\n", 400), ("GET / HTTP/1.1\rX", 400),
    ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\r\n", 400), ("GET /a?b\u{1}c HTTP/1.1\r\n", 400),
    ("GET /a?b\0c HTTP/1.1\r\n", 400), ("POST / HTTP/1.1\r\n\r\n", 400),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
  ])
  func aFirstLineThatMakesNoSenseIsAFault(line: String, status: Int) {
    // The error is reported immediately, before the remainder of the request arrives.
    for size in [1, .max] {
      #expect(Self.read(line, inPiecesOf: size) == ["begun", "\(status)"])
    }
  }

  @Test func emptyLinesBeforeARequestHaveABound() {
    #expect(Self.read("\r\n\r\nGET / HTTP/1.0\r\n\r\n").last == ".")
    #expect(Self.read("\r\n\r\n\r\n") == ["400"])
    #expect(Self.read("\n") == ["begun", "400"])
    #expect(Self.read("\rGET / HTTP/1.0\r\n\r\n") == ["400"])
  }

  // MARK: Bodies

  @Test(arguments: [
    "\r\n", "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1 x\r\n", "1,\r\n",
    "g\r\n",
    "1\n", "1\rx", "1;\0\r\n", "1;a\nb\r\n", "3\r\nabcX", "3\r\nabcd\r\n", "3\r\nabc\n",
    "3\r\nabc\r0", "3\r\nabc0\r\n\r\n", "1000000000000000\r\n", "ffffffffffffffff\r\n",
    "10000000000000003\r\nabc\r\n", "0\r\nX : y\r\n\r\n", "0\r\n X: y\r\n\r\n", "0\r\nX\r\n\r\n",
    "0\r\nX: y\n\r\n",
  ])
  func aBodyThatIsDividedOtherwiseIsAFault(chunks: String) {
    let head = Self.plain + "Transfer-Encoding: chunked\r\n\r\n"
    for size in [1, .max] {
      let words = Self.read(head + chunks, inPiecesOf: size)
      #expect(words.last == "400")
      #expect(!words.contains("."))
    }
  }

  @Test func largeBodyIsPassedOnInParts() {
    var reader = HTTPRequestReader()
    reader.feed(Array((Self.plain + "Content-Length: 1000000\r\n\r\n").utf8))
    _ = (reader.next(), reader.next())
    var count = 0
    while reader.isInsideRequest {
      reader.feed([UInt8](repeating: 7, count: 30_000))
      while case .body(let part) = reader.next() { count += part.count }
      // An invalid chunk ends the body; the following bytes would be another request.
      #expect(reader.pendingCount <= 30_000)
    }
    #expect(count == 1_000_000 && reader.pendingCount == 20_000)
  }

  // MARK: Limits

  @Test func oversizedInputFailsBeforeItIsComplete() {
    let limits = HTTPRequestReader.Limits(head: 200, fields: 5, chunkLine: 50)
    let long = String(repeating: "a", count: 300)
    for size in [1, 13, .max] {
      #expect(Self.read("GET /" + long, inPiecesOf: size, limits) == ["begun", "414"])
      #expect(Self.read(long, inPiecesOf: size, limits) == ["begun", "414"])
      #expect(Self.read(Self.plain + "X: " + long, inPiecesOf: size, limits) == ["begun", "431"])
      let many = String(repeating: "a:b\r\n", count: 5)
      #expect(Self.read(Self.plain + many, inPiecesOf: size, limits) == ["begun", "431"])
      let head = Self.plain + "Transfer-Encoding: chunked\r\n\r\n"
      #expect(Self.read(head + "1;" + long, inPiecesOf: size, limits).last == "400")
      #expect(Self.read(head + "00000000000000001", inPiecesOf: size, limits).count == 2)
      let trailers = String(repeating: "a: bcdefghij\r\n", count: 20)
      #expect(Self.read(head + "0\r\n" + trailers, inPiecesOf: size, limits).last == "431")
    }
    // The limit applies to each request and each chunk separately.
    let request =
      Self.plain + "Transfer-Encoding: chunked\r\n\r\n" + "1;aaaaaaaaaaaaaaaaaaaa\r\nx\r\n"
      + "1;aaaaaaaaaaaaaaaaaaaa\r\ny\r\n0\r\n\r\n"
    let words = Self.read(String(repeating: request, count: 10), limits)
    #expect(words.count { $0 == "." } == 10 && words.count { $0 == "xy" } == 10)
  }

  @Test(arguments: 1...6) func noiseIsReadTheSameInPiecesOfAnySize(seed: Int) {
    var random = SeededNumbers(seed: seed)
    let pieces = [
      "GET ", "POST /x HTTP/1.1\r\n", "/", "%", "..", " HTTP/1.1\r\n", "Host: x\r\n", "\r\n", "\r",
      "\n", "\r\n\r\n", "Content-Length: 4\r\n", "Content-Length: ", "99999999999999999999\r\n",
      "Transfer-Encoding: chunked\r\n", "4\r\n", "0\r\n", "ffffffffffffffff\r\n", "abcd", ";", ":",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nabcd\r\n", " ",
      "\t", "\0", "\u{FF}",
    ]
    for _ in 0..<300 {
      let text = (0..<random.below(16)).map { _ in pieces[random.below(pieces.count)] }.joined()
      var bytes = Array(text.utf8)
      if bytes.isEmpty { bytes = random.bytes(1 + random.below(3000)) }
      if random.below(3) == 0 { bytes[random.below(bytes.count)] = random.bytes(1)[0] }
      let all = Self.read(bytes, inPiecesOf: .max)
      for size in [1, 2, 5] { #expect(Self.read(bytes, inPiecesOf: size) == all) }
    }
  }
}
