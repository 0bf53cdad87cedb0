/// Reads the frames of an ADTS stream that comes in pieces of any size.
///
///     reader.append(bytes)
///     while let event = reader.next() { … }
///
/// A frame comes out once the header after it has come in, or the stream has ended; see
/// `FrameScanner` for how damage is told from frames. Between two calls that return nil the reader
/// holds at most two frames, whatever the stream says.
public struct ADTSReader: Sendable {
  /// What there is in a stream.
  public enum Event: Equatable, Sendable {
    /// A frame.
    case frame(ADTSFrame)
    /// An ID3 or APE tag, skipped.
    case tag(offset: Int, length: Int)
    /// Something wrong.
    case damage(StreamDamage)
  }

  private var scanner = FrameScanner<ADTSHeader>()
  private var lastHeader: ADTSHeader?

  /// A reader at the start of a stream.
  public init() {}

  /// Takes in the next bytes of the stream.
  public mutating func append(_ bytes: Span<UInt8>) { scanner.append(bytes) }

  /// Takes in the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) { scanner.append(bytes.span) }

  /// Says that no more bytes will come.
  public mutating func finish() { scanner.finish() }

  /// Where the reader stands: no frame that begins before this is still to come.
  public var position: Int { scanner.buffer.offset }

  /// The next event, or nil if that takes more bytes or the stream is over.
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
      // The frame stays where it is and comes with the next call.
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
