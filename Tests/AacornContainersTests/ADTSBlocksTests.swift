import AacornCodec
import AacornContainers
import Testing

/// Frames with several raw_data_blocks, which only the reader supports.
struct ADTSBlocksTests {
  static let blocks: [[UInt8]] = [[0x01, 0x02, 0x03], [0x11], [0x21, 0x22, 0x23, 0x24]]

  static func header(hasChecksum: Bool, length: Int, blockCount: Int) -> [UInt8] {
    [
      0xFF, hasChecksum ? 0xF0 : 0xF1, 0x50, 0x80 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
      UInt8(length & 7) << 5 | 0x1F, 0xFC | UInt8(blockCount - 1),
    ]
  }

  static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let value = ADTSChecksumTests.reference(ADTSChecksumTests.bits(bytes))
    return [UInt8(value >> 8), UInt8(value & 0xFF)]
  }

  /// Three blocks with positions and checksums; each checksum covers its block except for the first
  /// three bits.
  static func protectedFrame(positions: [UInt8] = [0, 5, 0, 8]) -> [UInt8] {
    let start = header(hasChecksum: true, length: 27, blockCount: 3) + positions
    var bytes = start + checksum(start)
    for block in blocks {
      let value = ADTSChecksumTests.reference(Array(ADTSChecksumTests.bits(block).dropFirst(3)))
      bytes += block + [UInt8(value >> 8), UInt8(value & 0xFF)]
    }
    return bytes
  }

  @Test func positionsAndChecksumsSeparateTheBlocks() throws {
    var bytes = Self.protectedFrame()
    #expect(bytes.count == 27)
    let frame = try #require(adtsEvents(bytes).frames.first)
    #expect(frame.header.headerLength == 13)
    #expect(frame.blocks.map { Array(frame.payload[$0]) } == Self.blocks)
    #expect(frame.headerChecksumMatches == true)
    for (index, block) in Self.blocks.enumerated() {
      let count = block.count * 8 - 3
      let region = ProtectedRegion(start: 3, count: count, paddedCount: count)
      #expect(frame.checksumMatches(regions: [region], block: index) == true)
      #expect(frame.checksumMatches(regions: [], block: index) == false)
    }
    #expect(frame.checksumMatches(regions: [], block: 3) == nil)
    #expect(frame.checksumMatches(regions: [], block: -1) == nil)
    // The checksum of the header covers the positions.
    bytes[8] = 6
    #expect(adtsEvents(bytes).frames.first?.headerChecksumMatches == false)
  }

  @Test(arguments: [
    [0, 1, 0, 8], [0, 5, 0, 6], [0, 5, 0, 13], [0xFF, 0xFF, 0, 8], [0, 8, 0, 5],
  ])
  func impossiblePositionsDropTheFrameOnly(positions: [UInt8]) throws {
    let good = Self.protectedFrame()
    let events = adtsEvents(good + Self.protectedFrame(positions: positions) + good)
    #expect(events.frames.map { $0.offset } == [0, 54])
    #expect(events.damage.map { $0.kind } == [.invalidBlockPositions])
    #expect(events.cover(81))
  }

  @Test func frameTooShortForChecksumsIsRejected() {
    let bytes = Self.header(hasChecksum: true, length: 18, blockCount: 3)
    #expect(
      adtsEvents(bytes + [UInt8](repeating: 0, count: 11)).damage.first?.kind == .frameTooShort)
  }
}
