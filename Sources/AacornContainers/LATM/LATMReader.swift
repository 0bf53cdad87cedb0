public import AacornCodec
import AacornSignal

/// Reads the frames of a LOAS stream (LATM with sync words) that arrives in pieces of any size.
///
///     reader.append(bytes)
///     while let event = reader.next() { … }
///
/// A frame is returned once the header after it has arrived or the stream has ended. Frames before
/// the first configuration cannot be decoded and are reported as damage.
public struct LATMReader: Sendable {
  /// An event of the stream; a missing configuration is damage.
  public typealias Event = StreamEvent<LATMFrame>

  private var scanner = FrameScanner<LOASHeader>()
  private var mux: StreamMuxConfig?
  /// The events of the last LOAS frame.
  private var pending = PendingItems<Event>()

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
    while true {
      if let event = pending.take() { return event }
      switch scanner.next() {
      case nil: return nil
      case .tag(let offset, let length): return .tag(offset: offset, length: length)
      case .damage(let damage): return .damage(damage)
      case .frame(let header):
        let offset = scanner.buffer.offset
        let element = scanner.takeFrame(header, from: LOASHeader.fixedByteCount)
        pending.replace(events(in: element, at: offset))
      }
    }
  }

  /// Parses an AudioMuxElement (14496-3, 1.7.3.1).
  private mutating func events(in element: [UInt8], at offset: Int) -> [Event] {
    func damage(_ kind: StreamDamage.Kind) -> Event {
      let length = LOASHeader.fixedByteCount + element.count
      return .damage(StreamDamage(kind: kind, offset: offset, length: length))
    }

    var reader = BitReader(element)
    var events: [Event] = []
    var mux = self.mux
    let usesSameStreamMux = reader.readFlag()
    if !usesSameStreamMux {
      switch StreamMuxConfig.read(&reader) {
      case .damaged(let kind): return [damage(kind)]
      case .config(let config): mux = config
      }
    }
    guard var mux else { return [damage(.missingConfiguration)] }
    let bufferFullness = mux.bufferFullness
    mux.bufferFullness = nil

    var isComplete = true
    for index in 0..<mux.payloadCount {
      guard let payload = Self.readPayload(&reader, mux) else {
        events.append(damage(.invalidPayload))
        isComplete = false
        break
      }
      events.append(
        .frame(
          LATMFrame(
            configuration: mux.configuration, payload: payload, offset: offset, index: index,
            bufferFullness: bufferFullness)))
    }

    if let old = self.mux, old != mux {
      // A damaged repetition of the configuration must not affect later frames. So a different
      // configuration is accepted only if its payloads fill the frame to the last byte.
      reader.skip(mux.otherDataBits)
      guard isComplete, !reader.isOverrun, reader.remaining < 8 else {
        return [damage(.invalidConfiguration)]
      }
      events.insert(
        .damage(StreamDamage(kind: .parametersChanged, offset: offset, length: 0)), at: 0)
    }
    self.mux = mux
    return events
  }

  private static func readPayload(_ reader: inout BitReader, _ mux: StreamMuxConfig) -> [UInt8]? {
    let count = mux.readPayloadLength(&reader)
    guard !reader.isOverrun, count * 8 <= reader.remaining else { return nil }
    var payload: [UInt8] = []
    payload.reserveCapacity(count)
    for _ in 0..<count { payload.append(UInt8(truncatingIfNeeded: reader.read(8))) }
    return payload
  }
}

/// One payload of a LATM stream.
public struct LATMFrame: Equatable, Sendable {
  /// The configuration in effect.
  public let configuration: AudioSpecificConfig
  /// The raw_data_block, byte-aligned.
  public let payload: [UInt8]
  /// The offset of the LOAS frame's first byte from the start of the stream.
  public let offset: Int
  /// The index of this payload within the LOAS frame, from 0.
  public let index: Int
  /// The bit reservoir in units of 32 bits per channel, if the frame has it; 0xFF at variable rate.
  public let bufferFullness: Int?
}

/// The start of a LOAS frame: sync word and length (ISO/IEC 14496-3, 1.7.2).
struct LOASHeader: FrameHeader {
  static let fixedByteCount = 3
  static let firstByte: UInt8 = 0x56

  let frameLength: Int

  init?(bits: UInt64) {
    if Self.fault(in: bits) != nil { return nil }
    frameLength = Self.fixedByteCount + Int(truncatingIfNeeded: bits & 0x1FFF)
  }

  static func fault(in bits: UInt64) -> StreamDamage.Kind? {
    if bits >> 13 != 0x2B7 { return .garbage }
    return bits & 0x1FFF == 0 ? .frameTooShort : nil
  }

  // The header contains only the sync word and the length, so all headers agree.
  func agrees(with other: LOASHeader) -> Bool { true }
  func isNearDuplicate(of other: LOASHeader) -> Bool { false }
}
