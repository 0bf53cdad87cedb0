import TestSignals
import Testing

@testable import AacornCodec

@Suite struct SBRPayloadTests {
  /// Parametric stereo is padded to whole bytes.
  ///
  /// The number of bytes is coded in one or two fields.
  @Test(arguments: [1, 6, 7, 100, 110, 111, 118, 119, 400, 1000])
  func parametricStereoFollows(bitCount: Int) throws {
    var script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 2)
    script.advance()
    var random = SeededNumbers(seed: UInt64(bitCount))
    let content = (0..<bitCount).map { _ in UInt32.random(in: 0...1, using: &random) }
    var stereo = BitWriter()
    for bit in content { stereo.put(bit, count: 1) }
    var writer = SBRWriter(channelCount: 1)
    writer.choose(script.channels, isCoupled: false, tables: script.tables, isFresh: true)
    var payload = BitWriter()
    writer.put(to: &payload, script.channels, tables: script.tables, stereo: stereo)
    var bits = BitReader(payload.bytes)
    bits.skip(5)
    var reader = SBRReader(channelCount: 1, slotCount: 16)
    let isRead = reader.read(&bits, script.tables, isCoarse: true)
    try #require(isRead)
    let hasExtension = bits.readFlag()
    #expect(hasExtension)
    var size = bits.readInt(4)
    if size == 15 { size += bits.readInt(8) }
    #expect(size == (2 + bitCount + 7) / 8)
    let end = bits.position + 8 * size
    let id = bits.readInt(2)
    #expect(id == 2)
    let read = (0..<bitCount).map { _ in bits.read(1) }
    #expect(read == content)
    #expect(bits.endBit - end >= 0 && bits.endBit - end < 8)
    let rest = (0..<bits.remaining).map { _ in bits.read(1) }
    #expect(rest.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 14, 15, 16, 100, SBRWriter.maxByteCount])
  func fillElementsCarryPayloads(byteCount: Int) throws {
    var random = SeededNumbers(seed: UInt64(byteCount))
    let rest = (1..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    let content = [0xD5] + rest
    var payload = BitWriter()
    for byte in content { payload.put(UInt32(byte), count: 8) }
    var writer = FrameWriter(BitWriter())
    writer.putReplication(payload)
    writer.putStart(of: .end)
    var bytes: [UInt8] = []
    writer.append(to: &bytes)
    var reader = FrameReader(.test(rate: 22_050))
    try reader.read(bytes)
    #expect(reader.block.elements.map(\.byteCount) == [byteCount])
    #expect(reader.block.extensions.map(\.kind) == [.spectralBandReplication])
    let range = try #require(reader.block.extensions.first).bits
    var bits = BitReader(bytes)
    bits.skip(range.lowerBound)
    let carried = (0..<range.count / 8).map { _ in UInt8(bits.readInt(8)) }
    #expect(carried == content)
  }

  /// Frames of the maximum size exceed a fill element, but fit after their envelopes are joined.
  @Test(arguments: [false, true], [false, true])
  func joinedEnvelopesAlwaysFit(isCoarse: Bool, isCoupled: Bool) throws {
    let script = try SBRScript(tables: 0, isCoarse: isCoarse, channelCount: 2, seed: 1)
    let tables = script.tables
    var channels = script.channels
    let borders = SIMD8<UInt8>(2, 4, 8, 12, 14, 18, 0, 0)
    let grid = try #require(
      SBRGrid(borders: borders, envelopeCount: 5, transient: 5, resolutions: 0b11111))
    for channel in 0..<2 {
      channels[channel].grid = grid
      channels[channel].isCoarse = isCoarse
      for index in channels[channel].envelopes.indices {
        let isLoud = (index ^ index / SBRTables.maxBandCount) & 1 == 0
        channels[channel].envelopes[index] = isLoud ? (isCoarse ? 60 : 120) : 0
      }
      for index in 0..<16 { channels[channel].noise[index] = index & 1 == 0 ? 0 : 30 }
    }
    var writer = SBRWriter(channelCount: 2)
    SBRWriter.limit(&channels, isCoupled: isCoupled, tables: tables)
    writer.choose(channels, isCoupled: isCoupled, tables: tables, isFresh: true)
    let byteCount = writer.byteCount(channels, tables: tables, header: script.header)
    #expect(isCoupled || byteCount > SBRWriter.maxByteCount)

    for channel in 0..<2 {
      channels[channel].joinEnvelopes(isCoarse: isCoarse, tables: tables)
    }
    SBRWriter.limit(&channels, isCoupled: isCoupled, tables: tables)
    writer.choose(channels, isCoupled: isCoupled, tables: tables, isFresh: true)
    var payload = BitWriter()
    writer.put(to: &payload, channels, tables: tables, header: script.header)
    #expect(payload.bitCount < 8 * 100)
    var bits = BitReader(payload.bytes)
    bits.skip(5)
    let header = SBRHeader(&bits)
    #expect(header == script.header)
    var reader = SBRReader(channelCount: 2, slotCount: 16)
    let isRead = reader.read(&bits, tables, isCoarse: isCoarse)
    try #require(isRead)
    for channel in 0..<2 {
      #expect(SBRWriterTests.isSame(reader.channels[channel], channels[channel], tables))
      let joined = channels[channel].grid
      #expect(joined.start == 2 && joined.end == 18 && joined.envelopeCount == 1)
      #expect(joined.transient == 1)
    }
  }

  /// One envelope between fixed borders has fine steps, which are half as large.
  @Test func joinedEnvelopesKeepTheirLevel() throws {
    let script = try SBRScript(tables: 1, isCoarse: true, channelCount: 1, seed: 1)
    var data = script.channels[0]
    data.grid = SBRGrid(even: 4, isHigh: true)
    data.isCoarse = true
    for index in data.envelopes.indices {
      data.envelopes[index] = UInt8(20 + index / SBRTables.maxBandCount)
    }
    for index in 0..<16 { data.noise[index] = index < 8 ? 10 : 14 }
    data.joinEnvelopes(isCoarse: true, tables: script.tables)
    #expect(data.grid == SBRGrid(even: 1, isHigh: false) && !data.isCoarse)
    let count = script.tables.bandCount(isHigh: false)
    #expect(data.envelopes[..<count].allSatisfy { $0 == 42 })
    #expect((0..<script.tables.noiseCount).allSatisfy { data.noise[$0] == 12 })
  }
}
