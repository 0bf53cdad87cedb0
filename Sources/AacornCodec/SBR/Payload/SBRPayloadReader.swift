/// Reads sbr_extension_data (ISO/IEC 14496-3, table 4.62) of a single or pair element, for the
/// decoder and the inspector.
struct SBRPayloadReader: Sendable {
  /// The id of an extension with parametric stereo (EXTENSION_ID_PS).
  static let stereoID = 2
  /// The width of an extension's id in bits.
  static let stereoIDWidth = 2

  /// The sampling rate of the tables, in hertz.
  private let rate: Int
  /// The reader of the channels, which has their data.
  private(set) var reader: SBRReader
  private(set) var header = SBRHeader()
  /// The tables of the last valid header.
  private(set) var tables: SBRTables?
  /// Whether the last payload has a valid header.
  private(set) var hasHeader = false
  /// Whether the header of the last payload changed the tables.
  private(set) var hasNewTables = false
  /// The bits of ps_data in the last payload, if the payload was read and has such data.
  private(set) var stereoBits: Range<Int>?
  /// Whether payloads with a header have unusual fill bits, so that such bits do not prove damage.
  private var hasUnusualFill = false

  /// Creates a reader of an element.
  ///
  /// - Parameters:
  ///   - coreRate: The sampling rate of the core, in hertz; tables are for twice that rate.
  ///   - channelCount: The channels of the element, 1 or 2.
  ///   - slotCount: Slots of a frame, 16, or 15 for 960 samples.
  init(coreRate: Int, channelCount: Int, slotCount: Int) {
    rate = 2 &* coreRate
    reader = SBRReader(channelCount: channelCount, slotCount: slotCount)
  }

  /// The replicated frequencies in hertz, if the last payload has a valid header.
  var frequencies: Range<Int>? {
    guard hasHeader, let tables else { return nil }
    // Each of the 64 bands of the filter bank has an equal share of half the rate.
    return tables.start * rate / 128..<(tables.start + tables.count) * rate / 128
  }

  /// Handles a missing frame: the next frame does not follow the last one.
  mutating func handleMissingFrame() { reader.handleMissingFrame() }

  /// Whether the last payload of the frame is readable.
  var isRead: Bool { reader.splices.isRead }
  /// Whether the last payload of the frame is applied.
  var isApplied: Bool { reader.splices.isApplied }

  /// Ends a frame; the next one has no payload until it is read.
  mutating func endFrame() { reader.splices.endFrame() }

  /// Sets the levels of a channel, which is applied, with `tables`; returns false if the frame must
  /// be handled as missing instead.
  mutating func setLevels(
    _ levels: inout SBRLevels, channel: Int, _ tables: SBRTables
  ) -> Bool {
    if reader.isCoupled {
      levels.set(
        reader.channels[0], balance: reader.channels[1], tables, isRight: channel == 1)
    } else {
      levels.set(reader.channels[channel], tables)
    }
    return !reader.splices.rejects(levels, reader.channels[channel].grid, tables)
  }

  /// Reads a payload, which ends at the end of `bits`.
  mutating func read(_ bits: inout BitReader, hasChecksum: Bool) -> SBRFacts.State {
    let state = readContent(&bits, hasChecksum: hasChecksum)
    reader.splices.end(state, hasHeader: hasHeader)
    return state
  }

  private mutating func readContent(
    _ bits: inout BitReader, hasChecksum: Bool
  ) -> SBRFacts.State {
    hasHeader = false
    hasNewTables = false
    stereoBits = nil
    if hasChecksum {
      let checksum = bits.readInt(SBRChecksum.width)
      guard SBRChecksum.ofRemainingBits(bits) == checksum else { return .wrongChecksum }
    }
    if bits.readFlag() {
      let header = SBRHeader(&bits)
      guard !bits.isOverrun, setHeader(header) else { return .illegalHeader }
      hasHeader = true
    }
    // Before the first header, nothing can be read.
    guard let tables else { return bits.isOverrun ? .illegalData : .withoutHeader }
    guard reader.read(&bits, tables, isCoarse: header.isCoarse), readExtensions(&bits) else {
      return .illegalData
    }
    reader.advance(tables)
    return .read
  }

  /// Builds tables if they change; returns false if they are invalid.
  private mutating func setHeader(_ header: SBRHeader) -> Bool {
    if tables != nil && header.spectrum == self.header.spectrum {
      if header.limiterBands != self.header.limiterBands {
        tables?.makeLimiter(header.limiterBands)
      }
    } else {
      tables = SBRTables(header, rate: rate)
      hasNewTables = true
    }
    self.header = header
    return tables != nil
  }

  /// Reads the extensions after the channels: parametric stereo; others are skipped.
  private mutating func readExtensions(_ bits: inout BitReader) -> Bool {
    var size = 0
    if bits.readFlag() {
      size = bits.readInt(4)
      if size == 15 { size += bits.readInt(8) }
    }
    let end = bits.position + 8 * size
    guard !bits.isOverrun, end <= bits.endBit, checkFill(bits, from: end) else { return false }
    if size > 0 && bits.readInt(Self.stereoIDWidth) == Self.stereoID && reader.channels.count == 1 {
      stereoBits = bits.position..<end
    }
    bits.seek(to: end)
    return true
  }

  /// Returns whether the fill bits of a payload are correct.
  ///
  /// They must be at most seven zeros, unless payloads with a header had other fill bits. If a
  /// payload is read with the header of another stream, reading hardly ever stops so close to its
  /// end.
  private mutating func checkFill(_ bits: BitReader, from end: Int) -> Bool {
    var rest = bits
    rest.seek(to: end)
    let count = rest.remaining
    if count < 8 && rest.peek(count) == 0 { return true }
    if hasHeader { hasUnusualFill = true }
    return hasUnusualFill
  }
}

/// The checksum of sbr_extension_data: CRC-10 (ISO/IEC 14496-3, 4.5.2.8.2).
enum SBRChecksum {
  /// The width of the checksum in bits.
  static let width = 10
  /// x¹⁰ + x⁹ + x⁵ + x⁴ + x + 1, without its first term.
  private static let polynomial: UInt32 = 0x233

  /// Returns the checksum of all remaining bits.
  static func ofRemainingBits(_ bits: BitReader) -> Int {
    var bits = bits
    var register: UInt32 = 0
    while bits.remaining > 0 {
      let top = register >> 9 & 1
      register = register << 1 & 0x3FF
      if top != bits.read(1) { register ^= polynomial }
    }
    return Int(register)
  }
}
