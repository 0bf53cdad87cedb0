import AacornCodec

/// The ES_Descriptor that carries a decoder's configuration (ISO/IEC 14496-1, 7.2.6.5).
struct ElementaryStreamDescriptor: Equatable {
  /// The kind of payload: 0x40 is MPEG-4 audio, 0x66…0x68 are MPEG-2 AAC.
  var objectTypeIndication: UInt8 = 0x40
  /// The decoder's input buffer in bytes.
  var bufferByteCount: UInt32
  /// The highest rate over any second, in bits per second.
  var maximumBitrate: UInt32
  /// The mean rate, in bits per second.
  var averageBitrate: UInt32
  /// The AudioSpecificConfig.
  var decoderSpecificInfo: [UInt8]

  private static let esTag: UInt8 = 3
  private static let decoderConfigTag: UInt8 = 4
  private static let decoderSpecificInfoTag: UInt8 = 5
  private static let syncLayerTag: UInt8 = 6

  /// The encoded descriptor; every length takes four bytes, as is customary.
  var bytes: [UInt8] {
    let specific = Self.descriptor(Self.decoderSpecificInfoTag, decoderSpecificInfo)
    var fields = self
    let decoder = BoxWriter.bytes { fields.transferDecoderConfig(&$0) } + specific
    // ES_ID 0 and no flags, then the two inner descriptors; 2 is the SL configuration for MP4.
    let content =
      [0, 0, 0] + Self.descriptor(Self.decoderConfigTag, decoder)
      + Self.descriptor(Self.syncLayerTag, [2])
    return Self.descriptor(Self.esTag, content)
  }

  private mutating func transferDecoderConfig(_ box: inout some BoxFields) {
    box.field(&objectTypeIndication, bits: 8)
    // streamType 5 (audio), not upstream, the reserved bit set.
    box.put(0x15, bits: 8)
    box.field(&bufferByteCount, bits: 24)
    box.field(&maximumBitrate, bits: 32)
    box.field(&averageBitrate, bits: 32)
  }

  private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var bytes = [tag]
    for shift in [21, 14, 7, 0] {
      let continuation: UInt8 = shift == 0 ? 0 : 0x80
      bytes.append(continuation | UInt8(truncatingIfNeeded: content.count >> shift) & 0x7F)
    }
    return bytes + content
  }
}

extension ElementaryStreamDescriptor {
  /// Parses a descriptor; returns nil if it is truncated or contains no decoder configuration.
  init?(parsing bytes: [UInt8], range: Range<Int>) {
    var reader = BitReader(bytes, range: range)
    guard Self.enter(Self.esTag, &reader) != nil else { return nil }
    reader.skip(16)
    let hasDependency = reader.readFlag()
    let hasURL = reader.readFlag()
    let hasClock = reader.readFlag()
    reader.skip(5)
    if hasDependency { reader.skip(16) }
    if hasURL { reader.skip(8 * reader.readInt(8)) }
    if hasClock { reader.skip(16) }
    guard let decoderEnd = Self.enter(Self.decoderConfigTag, &reader) else { return nil }
    self.init(
      bufferByteCount: 0, maximumBitrate: 0, averageBitrate: 0, decoderSpecificInfo: [])
    transferDecoderConfig(&reader)
    if reader.isOverrun { return nil }
    // Other descriptors may precede the DecoderSpecificInfo.
    while reader.position + 16 <= decoderEnd * 8 {
      let tag = UInt8(truncatingIfNeeded: reader.read(8))
      guard let length = Self.readLength(&reader) else { return }
      let start = reader.position / 8
      let end = min(decoderEnd, start + length)
      if tag == Self.decoderSpecificInfoTag, start < end {
        decoderSpecificInfo = Array(bytes[start..<end])
        return
      }
      reader.skip(8 * length)
    }
  }

  /// Enters a descriptor with `tag`; returns the end of its content, or nil if the tag differs.
  private static func enter(_ tag: UInt8, _ reader: inout BitReader) -> Int? {
    guard reader.read(8) == UInt32(tag), let length = readLength(&reader) else { return nil }
    return min(reader.endBit / 8, reader.position / 8 + length)
  }

  private static func readLength(_ reader: inout BitReader) -> Int? {
    var length = 0
    for _ in 0..<4 {
      let byte = reader.readInt(8)
      length = length << 7 | byte & 0x7F
      if byte & 0x80 == 0 { return reader.isOverrun ? nil : length }
    }
    return nil
  }
}
