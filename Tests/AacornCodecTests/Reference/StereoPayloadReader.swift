import Testing

@testable import AacornCodec

/// Reads payloads of band replication with parametric stereo, unit by unit.
struct StereoPayloadReader {
  struct Content {
    var hasHeader = false
    var stereo = StereoData()
  }

  private let rate: Int
  private var reader = SBRReader(channelCount: 1, slotCount: 16)
  private var isCoarse = false
  private var tables: SBRTables?
  private var stereoHeader: StereoHeader?
  private var parameters = StereoParameters()

  init(rate: Int) {
    self.rate = rate
  }

  /// Reads the payload of a unit to its end.
  mutating func read(_ unit: [UInt8], _ payload: ExtensionPayload) throws -> Content {
    var content = Content()
    var bits = BitReader(unit, bits: payload.bits.lowerBound + 4..<payload.bits.upperBound)
    content.hasHeader = bits.readFlag()
    if content.hasHeader {
      let header = SBRHeader(&bits)
      isCoarse = header.isCoarse
      tables = SBRTables(header, rate: rate)
    }
    let known = try #require(tables)
    let isRead = reader.read(&bits, known, isCoarse: isCoarse)
    try #require(isRead)
    reader.advance(known)

    let hasExtension = bits.readFlag()
    try #require(hasExtension)
    var size = bits.readInt(4)
    if size == 15 { size += bits.readInt(8) }
    let end = bits.position + 8 * size
    try #require(end <= bits.endBit)
    // EXTENSION_ID_PS.
    let id = bits.readInt(2)
    try #require(id == 2)
    let isComplete = content.stereo.read(
      &bits, bitCount: end - bits.position, after: stereoHeader)
    try #require(isComplete)
    if content.stereo.hasHeader { stereoHeader = content.stereo.header }
    var next = StereoParameters()
    let isSound = next.update(after: parameters, with: content.stereo)
    try #require(isSound)
    next.finish()
    parameters = next

    // Zeros pad the extension and the payload to whole bytes.
    #expect((0..<8).contains(end - bits.position) && (0..<8).contains(bits.endBit - end))
    let rest = bits.read(bits.remaining)
    #expect(rest == 0)
    return content
  }
}
