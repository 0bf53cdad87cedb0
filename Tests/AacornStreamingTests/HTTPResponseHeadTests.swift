import Testing

@testable import AacornNetwork

/// The encoded head of a response.
@Suite struct HTTPResponseHeadTests {
  private static func text(_ framing: HTTPResponseHead.Framing, isLast: Bool = false) -> String {
    let head = HTTPResponseHead(
      status: 206, headers: [HTTPField("X-A", "b")], framing: framing, isLast: isLast)
    return String(decoding: head.bytes(at: 784_111_777_000_000_000), as: UTF8.self)
  }

  @Test func responseHeadDescribesBodyFraming() {
    let first = "HTTP/1.1 206 Partial Content\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
    #expect(Self.text(.length(7)) == first + "Content-Length: 7\r\nX-A: b\r\n\r\n")
    #expect(Self.text(.chunked) == first + "Transfer-Encoding: chunked\r\nX-A: b\r\n\r\n")
    #expect(Self.text(.none) == first + "X-A: b\r\n\r\n")
    #expect(Self.text(.end, isLast: true) == first + "Connection: close\r\nX-A: b\r\n\r\n")
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
    (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
  ])
  func aDateIsWrittenAsHeadersHaveIt(seconds: Int64, text: String) {
    #expect(HTTPResponseHead.date(seconds * 1_000_000_000) == text)
  }

  @Test func aChunkHasItsLengthBeforeIt() {
    #expect(
      HTTPResponseHead.chunk([UInt8](repeating: 65, count: 17)) == Array("11\r\n".utf8)
        + [UInt8](repeating: 65, count: 17) + [13, 10])
    #expect(HTTPResponseHead.chunk([UInt8]()) == Array("0\r\n\r\n".utf8))
  }
}
