import AacornSignal

/// Reads the frames of an ADTS stream that arrives in pieces of any size.
///
///     reader.append(bytes)
///     while let event = reader.next() { … }
///
/// A frame comes out once the header after it has arrived or the stream has ended; see
/// `FrameScanner` for how damage is distinguished from frames. Between two calls that return nil
/// the reader holds at most two frames, whatever the stream contains.
public struct ADTSReader: Sendable {
  /// A part of a stream.
  public enum Event: Equatable, Sendable {
    /// A frame.
    case frame(ADTSFrame)
    /// An ID3 or APE tag, skipped.
    case tag(offset: Int, length: Int)
    /// Damage.
    case damage(StreamDamage)
  }

  private var scanner = FrameScanner<ADTSHeader>()
  private var lastHeader: ADTSHeader?

  /// A reader at the start of a stream.
  public init() {}

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: Span<UInt8>) { scanner.append(bytes) }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) { scanner.append(bytes.span) }

  /// Marks the end of the stream.
  public mutating func finish() { scanner.finish() }

  /// The reader's position: no frame that begins before it is still to come.
  public var position: Int { scanner.buffer.offset }

  /// The next event, or nil if more bytes are needed or the stream is over.
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
      // The frame stays in the buffer and comes with the next call.
      return .damage(StreamDamage(kind: .parametersChanged, offset: offset, length: 0))
    }
    var words: [UInt16] = []
    for index in stride(from: ADTSHeader.fixedByteCount, to: header.headerLength, by: 2) {
      words.append(UInt16(scanner.buffer[index]) << 8 | UInt16(scanner.buffer[index + 1]))
    }
    let payload = scanner.takeFrame(header, from: header.headerLength)
    if let frame = ADTSFrame(header: header, offset: offset, words: words, payload: payload) {
      return .frame(frame)
    }
    return .damage(
      StreamDamage(kind: .invalidBlockPositions, offset: offset, length: header.frameLength))
  }
}
