/// An incremental reader of a server's response: the head, and the body without chunk sizes.
package struct ServerResponseReader {
  private enum Stage: Equatable {
    case head
    /// All further bytes belong to the body.
    case body
    /// The line with the size of a chunk.
    case size
    /// The remaining number of bytes in the chunk.
    case chunk(Int)
    /// The line end after a chunk.
    case chunkEnd
    /// The headers after the last chunk, and the empty line.
    case trailer
    case finished
  }

  /// The head of the final response; nil until it is complete.
  package private(set) var head: ServerResponse?
  /// The length of the complete body in bytes, if the head states it.
  package private(set) var bodyCount: Int?
  /// Whether bytes arrived after the end of the response.
  package private(set) var hasSurplus = false
  private var stage = Stage.head
  /// The received part of an incomplete head or line.
  private var line: [UInt8] = []
  /// The remaining number of bytes in the body, if the head states its length.
  private var remainingBodyCount: Int?

  private static let lineLimit = 1024

  /// Creates a reader of a complete response.
  package init() {}

  /// Creates a reader of the body that follows a head.
  package init(bodyOf head: ServerResponse) { begin(head) }

  /// Whether the body has ended.
  ///
  /// Always false for a body that ends with the connection.
  package var isFinished: Bool { stage == .finished || stage == .trailer }

  /// Whether the body is complete so far: it has ended, or ends with the connection.
  package var isComplete: Bool { isFinished || stage == .body && remainingBodyCount == nil }

  /// Whether the next response can follow on the connection.
  package var isAtEnd: Bool { stage == .finished && !hasSurplus }

  /// Processes bytes, and appends the bytes of the body.
  ///
  /// Returns false if the bytes are not a response, or the head is too long.
  package mutating func push(_ bytes: [UInt8], into body: inout [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      switch stage {
      case .finished:
        hasSurplus = true
        return true
      case .head:
        line.append(bytes[index])
        index += 1
        if line.count > ServerResponse.maxByteCount || hasEmptyLine && !readHead() { return false }
      case .body:
        let count = min(bytes.count - index, remainingBodyCount ?? .max)
        body += bytes[index..<index + count]
        index += count
        if let remainingBodyCount {
          self.remainingBodyCount = remainingBodyCount - count
          if remainingBodyCount == count { stage = .finished }
        }
      case .size, .trailer:
        let byte = bytes[index]
        index += 1
        if byte != 0x0A {
          if line.count < Self.lineLimit {
            line.append(byte)
          } else if stage == .size {
            return false
          }
          continue
        }
        if !endLine() { return false }
      case .chunk(let rest):
        let count = min(bytes.count - index, rest)
        body += bytes[index..<index + count]
        index += count
        stage = rest == count ? .chunkEnd : .chunk(rest - count)
      case .chunkEnd:
        let byte = bytes[index]
        index += 1
        if byte == 0x0A {
          line = []
          stage = .size
        } else if byte == 0x0D, line.isEmpty {
          line = [byte]
        } else {
          return false
        }
      }
    }
    return true
  }

  /// Reads a body that begins with received bytes.
  ///
  /// Stops at the end of the body, once it has at least `limit` bytes, at the deadline, and when the
  /// connection closes. The body is not valid if its chunks are malformed.
  package mutating func receiveBody(
    after bytes: [UInt8], limit: Int, over transport: inout any ByteTransport,
    until deadline: Deadline
  ) -> (bytes: [UInt8], isValid: Bool) {
    var (piece, body) = (bytes, [] as [UInt8])
    while push(piece, into: &body) {
      let time = deadline.remaining
      piece = []
      guard stage != .finished, limit > body.count, time > .zero,
        (try? transport.receive(into: &piece, within: time)) == true
      else { return (body, true) }
    }
    return (body, false)
  }

  /// Whether an empty line was received, with or without carriage returns.
  private var hasEmptyLine: Bool {
    let count = line.count
    guard count >= 2, line[count - 1] == 0x0A else { return false }
    return line[count - 2] == 0x0A
      || count >= 3 && line[count - 2] == 0x0D && line[count - 3] == 0x0A
  }

  /// Returns false if the received line is not a head.
  private mutating func readHead() -> Bool {
    guard case .complete(let head) = ServerResponse.read(line) else { return false }
    line = []
    // An interim response only announces the final one.
    if head.status >= 200 { begin(head) }
    return true
  }

  private mutating func begin(_ head: ServerResponse) {
    self.head = head
    if head.status == 204 || head.status == 304 {
      bodyCount = 0
      stage = .finished
    } else if head.isChunked {
      stage = .size
    } else {
      bodyCount = head.contentLength
      remainingBodyCount = bodyCount
      stage = bodyCount == 0 ? .finished : .body
    }
  }

  /// Processes the line of a chunk's size or of the trailer; returns false if it has no size.
  private mutating func endLine() -> Bool {
    defer { line = [] }
    if stage == .trailer {
      if line.isEmpty || line == [0x0D] { stage = .finished }
      return true
    }
    let digits = line.prefix { $0 != 0x0D && $0 != UInt8(ascii: ";") && $0 != 0x20 }
    guard (1...8).contains(digits.count),
      let count = Int(String(decoding: digits, as: UTF8.self), radix: 16), count >= 0
    else { return false }
    stage = count == 0 ? .trailer : .chunk(count)
    return true
  }
}
