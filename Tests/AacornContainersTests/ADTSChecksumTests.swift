import AacornCodec
import TestSignals
import Testing

@testable import AacornContainers

struct ADTSChecksumTests {
  /// Computes the checksum bit by bit from the polynomial.
  static func reference(_ bits: [Bool]) -> UInt16 {
    var register: UInt16 = 0xFFFF
    for bit in bits {
      let carry = (register & 0x8000 != 0) != bit
      register <<= 1
      if carry { register ^= 0x8005 }
    }
    return register
  }

  static func bits(_ bytes: some Sequence<UInt8>) -> [Bool] {
    bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 != 0 } }
  }

  @Test func checksumMatchesCheckValue() throws {
    var checksum = CRC16()
    let text = Array("123456789".utf8)
    checksum.add(text, from: 0, count: 72)
    #expect(Int(checksum.value) == (try TransportVectors.load().crc16Check))
  }

  @Test func anyRunOfBitsGivesTheReferenceChecksum() {
    var random = SeededNumbers(seed: 5)
    let bytes = random.bytes(9)
    let bits = Self.bits(bytes)
    for start in 0...bits.count {
      for count in 0...bits.count - start {
        var checksum = CRC16()
        checksum.add(bytes, from: start, count: count)
        #expect(checksum.value == Self.reference(Array(bits[start..<start + count])))
      }
    }
  }

  /// The mono element has 26 bits after its identifier.
  ///
  /// In the second vector it follows a data element, whose 37 bits after the identifier are covered
  /// completely.
  static let regions: [[ProtectedRegion]] = [
    [ProtectedRegion(start: 3, count: 26, paddedCount: 192)],
    [
      ProtectedRegion(start: 3, count: 37, paddedCount: 37),
      ProtectedRegion(start: 43, count: 26, paddedCount: 192),
    ],
  ]

  @Test(arguments: [0, 1])
  func checksumsAcceptVectorsAndRejectFlippedBits(index: Int) throws {
    let vector = try TransportVectors.load().adtsChecksums[index]
    let bytes = hexBytes(vector.hex)
    let frame = try #require(adtsEvents(bytes).frames.first)
    #expect(frame.checksums.map { Int($0) } == [vector.checksum])
    #expect(frame.header.headerLength == 9)
    #expect(frame.checksumMatches(regions: Self.regions[index]) == true)
    #expect(frame.headerChecksumMatches == nil)

    let covered = Self.regions[index].flatMap { $0.start..<$0.start + $0.count }
    var found = 0
    for bit in covered.map({ $0 + 72 }) + [30, 33, 60, 70] {
      var damaged = bytes
      damaged[bit >> 3] ^= 0x80 >> UInt8(bit & 7)
      // A damaged length leaves no frame.
      guard let frame = adtsEvents(damaged).frames.first else { continue }
      #expect(frame.checksumMatches(regions: Self.regions[index]) == false)
      found += 1
    }
    #expect(found >= covered.count && !covered.isEmpty)
  }

  @Test(arguments: [0, 1])
  func writerMakesTheVectors(index: Int) throws {
    let vector = hexBytes(try TransportVectors.load().adtsChecksums[index].hex)
    let header = try #require(adtsEvents(vector).frames.first).header
    var writer = try ADTSWriter(configuration: header.audioSpecificConfig, hasChecksum: true)
    var bytes: [UInt8] = []
    try writer.append(
      AccessUnit(bytes: Array(vector[9...]), protectedRegions: Self.regions[index]), to: &bytes)
    #expect(bytes == vector)
  }

  @Test func unitWithoutRegionsIsRefusedUnlessItNeedsNone() throws {
    var writer = try ADTSWriter(configuration: .stereo44100, hasChecksum: true)
    var bytes: [UInt8] = []
    #expect(throws: ContainerError.protectedRegionsMissing) {
      try writer.append(AccessUnit(bytes: [0x20, 0, 0]), to: &bytes)
    }
    #expect(bytes.isEmpty)
    // A fill element and the end.
    try writer.append(AccessUnit(bytes: [0xC0, 0xE0]), to: &bytes)
    #expect(adtsEvents(bytes).frames.first?.checksumMatches(regions: []) == true)
  }

  @Test func regionsOutsideTheBlockDoNotMatch() throws {
    let bytes = hexBytes(try TransportVectors.load().adtsChecksums[0].hex)
    let frame = try #require(adtsEvents(bytes).frames.first)
    for (start, count, padded) in [
      (-1, 8, 8), (0, 33, 33), (33, 0, 0), (3, -1, 8), (3, 26, 25), (3, 26, 1_000_000),
      (.max, 1, 1), (3, .max, .max),
    ] {
      let region = ProtectedRegion(start: start, count: count, paddedCount: padded)
      #expect(frame.checksumMatches(regions: [region]) == false)
    }
  }

  @Test func frameWithoutChecksumHasNothingToMatch() throws {
    let stream = try TransportStream.adts(sizes: [20])
    let frame = try #require(adtsEvents(stream.bytes).frames.first)
    #expect(frame.checksumMatches(regions: []) == nil)
    #expect(frame.checksums.isEmpty)
  }
}
