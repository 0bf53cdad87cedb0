@testable import AacornCodec

/// A silent block of one channel at 22.05 kHz, with band replication defined field by field.
struct ReplicationBlock {
  var hasHeader = true
  /// Whether the header describes impossible tables.
  var hasImpossibleHeader = false
  var grid = SBRGrid(even: 1, isHigh: true)
  var harmonics: UInt64 = 0
  var stereo: StereoData?
  /// The number of bytes kept of the payload; nil keeps all.
  var keptCount: Int?
  var firstByte: UInt8?

  static let stream = AudioSpecificConfig(
    objectType: .lowComplexity, sampleRate: 22_050, channelConfiguration: 1)

  private static func header(isImpossible: Bool) -> SBRHeader {
    var header = SBRHeader()
    header.spectrum.startFrequency = isImpossible ? 15 : 10
    header.spectrum.stopFrequency = isImpossible ? 0 : 9
    return header
  }

  var payload: [UInt8] {
    let header = Self.header(isImpossible: hasImpossibleHeader)
    guard let tables = SBRTables(Self.header(isImpossible: false), rate: 44_100) else { return [] }
    var data = SBRChannelData()
    data.grid = grid
    data.harmonics = harmonics
    var extra: BitWriter?
    if let stereo {
      var bits = BitWriter()
      stereo.put(to: &bits)
      extra = bits
    }
    var writer = SBRWriter(channelCount: 1)
    writer.choose([data], isCoupled: false, tables: tables, isFresh: true)
    var bits = BitWriter()
    writer.put(
      to: &bits, [data], tables: tables, header: hasHeader ? header : nil, stereo: extra)
    var bytes = bits.bytes
    if let keptCount { bytes = Array(bytes.prefix(keptCount)) }
    if let firstByte { bytes[0] = firstByte }
    return bytes
  }

  var bytes: [UInt8] {
    var bits = BitWriter()
    // A gain and a long window, without bands and tools.
    bits.put(0, count: 7)
    bits.put(100, count: 8)
    bits.put(0, count: 14)
    let payload = self.payload
    bits.put(6, count: 3)
    bits.put(UInt32(min(payload.count, 15)), count: 4)
    if payload.count >= 15 { bits.put(UInt32(payload.count - 14), count: 8) }
    for byte in payload { bits.put(UInt32(byte), count: 8) }
    bits.put(7, count: 3)
    return bits.bytes
  }
}

extension StereoData {
  /// Creates equal levels and full coherence in envelopes of equal length; `modes` adds a header.
  init(modes: (levels: Int, coherences: Int)?, envelopeCount: Int) {
    self.init()
    hasHeader = modes != nil
    header.hasLevels = true
    header.hasCoherences = true
    header.levelMode = modes?.levels ?? 1
    header.coherenceMode = modes?.coherences ?? 1
    self.envelopeCount = envelopeCount
  }
}
