import AacornSignal

/// Reads the frames of an ADTS stream that arrives in pieces of any size.
///
///     reader.append(bytes)
///     while let event = reader.next() { … }
///
/// A frame is returned once the header after it has arrived or the stream has ended. `FrameScanner`
/// describes how damage is distinguished from frames. After a call of `next` that returns nil, the
/// reader holds at most two frames, whatever the stream contains.
public struct ADTSReader: Sendable {
  /// An event of the stream.
  public typealias Event = StreamEvent<ADTSFrame>

  private var scanner = FrameScanner<ADTSHeader>()
  private var lastHeader: ADTSHeader?

  /// Creates a reader at the start of a stream.
  public init() {}

  /// Appends the next bytes of the stream.
  public mutating func append(_ bytes: Span<UInt8>) { scanner.append(bytes) }

  /// Appends the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) { scanner.append(bytes.span) }

  /// Marks the end of the stream.
  public mutating func finish() { scanner.finish() }

  /// The reader's position; all following frames begin at or after it.
  public var position: Int { scanner.buffer.offset }

  /// Returns the next event, or nil if more bytes are needed or the stream has ended.
  public mutating func next() -> Event? {
    switch scanner.next() {
    case nil: nil
    case .tag(let offset, let length): .tag(offset: offset, length: length)
    case .damage(let damage): .damage(damage)
    case .frame(let header): event(for: header)
    }
  }

  private mutating func event(for header: ADTSHeader) -> Event {
    let offset = scanner.buffer.offset
    let hasChanged = lastHeader.map { !$0.agrees(with: header) } ?? false
    lastHeader = header
    if hasChanged {
      // Report the change first; the frame stays in the buffer until the next call.
      return .damage(StreamDamage(kind: .parametersChanged, offset: offset, length: 0))
    }
    var words: [UInt16] = []
    for index in stride(from: ADTSHeader.fixedByteCount, to: header.headerLength, by: 2) {
      words.append(UInt16(scanner.buffer.word(at: index, byteCount: 2) ?? 0))
    }
    let payload = scanner.takeFrame(header, from: header.headerLength)
    if let frame = ADTSFrame(header: header, offset: offset, words: words, payload: payload) {
      return .frame(frame)
    }
    return .damage(
      StreamDamage(kind: .invalidBlockPositions, offset: offset, length: header.frameLength))
  }
}
