import AacornCodec

/// The arrangement of the payloads in an AudioMuxElement (ISO/IEC 14496-3, 1.7.3.1).
///
/// Supports only a single AAC stream: one program with one layer.
struct StreamMuxConfig: Equatable, Sendable {
  enum Parsed {
    case config(StreamMuxConfig)
    case damaged(StreamDamage.Kind)
  }

  var configuration: AudioSpecificConfig
  /// The number of payloads in an AudioMuxElement.
  var payloadCount: Int
  /// The length of every payload in bytes, or nil if each payload has its own length.
  var fixedPayloadLength: Int?
  /// The number of bits of other data after the payloads.
  var otherDataBits = 0
  /// The bit reservoir of the frame that carries this configuration; 0xFF at variable rate.
  var bufferFullness: Int?

  static func read(_ reader: inout BitReader) -> Parsed {
    let version = reader.readInt(1)
    if version == 1 {
      let isReservedVersion = reader.readFlag()
      if isReservedVersion { return .damaged(.unsupportedConfiguration) }
      _ = readValue(&reader)  // taraBufferFullness
    }
    let hasSameTimeFraming = reader.readFlag()
    let payloadCount = reader.readInt(6) + 1
    let programs = reader.readInt(4) + 1
    let layers = reader.readInt(3) + 1
    guard hasSameTimeFraming && programs == 1 && layers == 1 else {
      return .damaged(.unsupportedConfiguration)
    }
    let configuration: AudioSpecificConfig?
    if version == 0 {
      configuration = AudioSpecificConfig(reading: &reader)
    } else {
      configuration = readCountedConfiguration(&reader)
    }
    guard let configuration, !reader.isOverrun else { return .damaged(.invalidConfiguration) }
    guard version == 1 || isLengthKnown(configuration) else {
      return .damaged(.unsupportedConfiguration)
    }
    var config = StreamMuxConfig(configuration: configuration, payloadCount: payloadCount)
    switch reader.readInt(3) {
    case 0: config.bufferFullness = reader.readInt(8)
    case 1: config.fixedPayloadLength = reader.readInt(9) + 20
    default: return .damaged(.unsupportedConfiguration)
    }
    guard let bits = readOtherDataBits(&reader, version: version) else {
      return .damaged(.invalidConfiguration)
    }
    config.otherDataBits = bits
    // Skip the checksum of the configuration, since descriptions of its coverage differ.
    if reader.readFlag() { reader.skip(8) }
    return reader.isOverrun ? .damaged(.invalidConfiguration) : .config(config)
  }

  /// Returns the length of the next payload in bytes (PayloadLengthInfo).
  func readPayloadLength(_ reader: inout BitReader) -> Int {
    if let fixedPayloadLength { return fixedPayloadLength }
    // The loop ends at the end of the input at the latest, because the reader returns zeros there.
    var length = 0
    while true {
      let part = reader.readInt(8)
      length += part
      if part != 255 { return length }
    }
  }

  /// Reads a LatmGetValue: 1…4 bytes, as specified by two bits.
  private static func readValue(_ reader: inout BitReader) -> UInt32 {
    let bits = 8 * (reader.readInt(2) + 1)
    return reader.read(bits)
  }

  /// Reads a configuration of version 1, which is preceded by its length in bits.
  private static func readCountedConfiguration(_ reader: inout BitReader) -> AudioSpecificConfig? {
    var left = Int(clamping: readValue(&reader))
    guard left <= reader.remaining else { return nil }
    var bytes: [UInt8] = []
    while left > 0 {
      let count = min(left, 8)
      bytes.append(UInt8(truncatingIfNeeded: reader.read(count) << UInt32(8 - count)))
      left -= count
    }
    return AudioSpecificConfig(parsing: bytes)
  }

  private static func readOtherDataBits(_ reader: inout BitReader, version: Int) -> Int? {
    guard reader.readFlag() else { return 0 }
    if version == 1 { return Int(clamping: readValue(&reader)) }
    var bits = 0
    while true {
      let hasMore = reader.readFlag()
      bits = bits << 8 | reader.readInt(8)
      // A larger bit count exceeds any frame; stopping here also prevents an overflow of the shift.
      if bits > 0xFFFF { return nil }
      if !hasMore { return bits }
    }
  }

  /// Returns whether parsing determines the end of the configuration, as required in version 0.
  private static func isLengthKnown(_ configuration: AudioSpecificConfig) -> Bool {
    switch configuration.objectType.rawValue {
    case 1...4, 6, 7, 17, 19, 20, 23: true
    default: false
    }
  }
}
