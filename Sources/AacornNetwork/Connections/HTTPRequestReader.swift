import AacornSystem

/// A parser that divides a client's input into requests (RFC 9112).
///
/// `feed` accepts pieces of any size, and `next` returns the events. The parser neither waits nor
/// uses a clock. It retains at most the maximum size of a head, or of one piece. The events depend
/// on the bytes alone, not on the pieces.
struct HTTPRequestReader {
  struct Limits {
    /// The maximum number of bytes in the request line and the headers, and in the trailers.
    var head = 32 * 1024
    /// The maximum number of header lines.
    var fields = 2000
    /// The maximum number of bytes in the line before a chunk, with its extensions.
    var chunkLine = 1024
  }

  /// A result of parsing.
  enum Event: Equatable {
    /// The first byte of a request was received.
    case begun
    /// The request line and the headers.
    case head(HTTPHead)
    /// A part of the body, without its framing.
    case body(ArraySlice<UInt8>)
    /// The request is complete.
    case end
    /// Input that is not a request.
    ///
    /// Nothing more is read.
    case fault(HTTPFault)
    /// More bytes are needed.
    case more
  }

  private enum Phase {
    case betweenRequests
    case firstLine
    case fields
    /// The remaining number of bytes in the body.
    case body(Int)
    case chunkLine
    /// The remaining number of bytes in the chunk.
    case chunk(Int)
    case chunkEnd
    case trailers
    case ended
  }

  private let limits: Limits
  private var phase = Phase.betweenRequests
  private var head = HTTPHead()
  private var emptyLineCount = 0
  /// The number of bytes that the lines of the current part may still have: of the head, before a
  /// chunk, or of the trailers.
  private var budget = 0
  private var buffer: [UInt8] = []
  /// The index of the first unprocessed byte in the buffer.
  private var start = 0
  /// The index up to which the buffer contains no line end.
  private var scanned = 0

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The number of unprocessed bytes.
  var pendingCount: Int { buffer.count - start }

  /// Whether a request is incomplete.
  var isInsideRequest: Bool {
    switch phase {
    case .betweenRequests: false
    default: true
    }
  }

  /// Appends received bytes.
  mutating func feed(_ bytes: some Collection<UInt8>) {
    if case .ended = phase { return }
    if start == buffer.count {
      forgetBuffer()
    } else if start > 0 {
      buffer.removeFirst(start)
      scanned -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next event.
  ///
  /// After a fault, it is always `more`.
  mutating func next() -> Event {
    do throws(HTTPFault) {
      while true {
        if let event = try step() { return event }
      }
    } catch {
      phase = .ended
      buffer = []
      start = 0
      scanned = 0
      return .fault(error)
    }
  }

  /// Processes one part.
  ///
  /// Returns nil if it causes no event.
  private mutating func step() throws(HTTPFault) -> Event? {
    switch phase {
    case .betweenRequests: return try begin()
    case .firstLine:
      guard let line = try takeLine(orElse: .longTarget) else { return .more }
      head = try HTTPHead(firstLine: line)
      phase = .fields
    case .fields:
      guard let line = try takeLine(orElse: .longHead) else { return .more }
      if line.isEmpty { return try endHead() }
      if head.fields.count >= limits.fields { throw .longHead }
      head.fields.append(try HTTPField(line: line))
    case .body(let rest):
      if rest == 0 { return end() }
      guard let part = take(atMost: rest) else { return .more }
      phase = .body(rest - part.count)
      return .body(part)
    case .chunkLine:
      guard let line = try takeLine(orElse: .chunk) else { return .more }
      let size = try Self.chunkSize(line)
      phase = size == 0 ? .trailers : .chunk(size)
      budget = limits.head
    case .chunk(let rest):
      guard let part = take(atMost: rest) else { return .more }
      phase = part.count == rest ? .chunkEnd : .chunk(rest - part.count)
      return .body(part)
    case .chunkEnd:
      // RFC 9112 7.1: only a line end may follow the data of a chunk.
      guard let first = byte(0) else { return .more }
      if first != 0x0D { throw .chunk }
      guard let second = byte(1) else { return .more }
      if second != 0x0A { throw .chunk }
      skip(2)
      phase = .chunkLine
      budget = limits.chunkLine
    case .trailers:
      guard let line = try takeLine(orElse: .longHead) else { return .more }
      if line.isEmpty { return end() }
      // RFC 9110 6.5.1: a recipient may discard trailers, and none of them changes the request.
      _ = try HTTPField(line: line)
    case .ended: return .more
    }
    return nil
  }

  /// Starts a request.
  ///
  /// Skips an empty line before it (RFC 9112 2.2).
  private mutating func begin() throws(HTTPFault) -> Event? {
    guard let first = byte(0) else { return .more }
    if first == 0x0D {
      guard let second = byte(1) else { return .more }
      if second != 0x0A { throw .bareLineEnd }
      emptyLineCount += 1
      if emptyLineCount > 2 { throw .emptyLines }
      skip(2)
      return nil
    }
    emptyLineCount = 0
    budget = limits.head
    phase = .firstLine
    return .begun
  }

  /// Ends the head.
  ///
  /// The headers determine the length of the body (RFC 9112 6.3).
  private mutating func endHead() throws(HTTPFault) -> Event {
    try head.check()
    if let size = head.bodySize {
      phase = .body(size)
    } else {
      phase = .chunkLine
      budget = limits.chunkLine
    }
    defer { head = HTTPHead() }
    return .head(head)
  }

  private mutating func end() -> Event {
    phase = .betweenRequests
    if start == buffer.count { forgetBuffer() }
    return .end
  }

  // MARK: Bytes

  private func byte(_ index: Int) -> UInt8? {
    start + index < buffer.count ? buffer[start + index] : nil
  }

  /// Releases processed bytes.
  ///
  /// An idle connection retains little memory.
  private mutating func forgetBuffer() {
    buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
    start = 0
    scanned = 0
  }

  private mutating func skip(_ count: Int) {
    start += count
    scanned = start
  }

  private mutating func take(atMost count: Int) -> ArraySlice<UInt8>? {
    let size = min(count, pendingCount)
    if size == 0 { return nil }
    defer { skip(size) }
    return buffer[start..<(start + size)]
  }

  /// Returns a line without its end, or nil if it is incomplete.
  ///
  /// Throws if it exceeds the budget.
  private mutating func takeLine(
    orElse tooLong: HTTPFault
  ) throws(HTTPFault) -> ArraySlice<UInt8>? {
    while scanned < buffer.count {
      if scanned - start >= budget { throw tooLong }
      let byte = buffer[scanned]
      if byte == 0x0A { throw .bareLineEnd }
      if byte == 0x0D {
        if scanned + 1 == buffer.count { break }
        if buffer[scanned + 1] != 0x0A { throw .bareLineEnd }
        budget -= scanned + 2 - start
        if budget < 0 { throw tooLong }
        defer { skip(scanned + 2 - start) }
        return buffer[start..<scanned]
      }
      scanned += 1
    }
    return nil
  }

  /// Parses a hexadecimal size and extensions, which are ignored (RFC 9112 7.1.1).
  private static func chunkSize(_ line: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
    var size = 0
    var rest = line
    var digitCount = 0
    while let digit = rest.first?.hexadecimalValue {
      // Fifteen digits exceed the size of any disk, and fit in 64 bits.
      if digitCount == 15 { throw .chunk }
      digitCount += 1
      size = size << 4 | digit
      rest.removeFirst()
    }
    if digitCount == 0 { throw .chunk }
    if rest.isEmpty { return size }
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.first == UInt8(ascii: ";"),
      rest.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 })
    else { throw .chunk }
    return size
  }
}
