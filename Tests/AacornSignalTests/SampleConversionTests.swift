import AacornSignal
import Testing

/// Returns the bytes of a bit pattern, in either byte order.
private func bytes(_ pattern: UInt64, size: Int, bigEndian: Bool) -> [UInt8] {
  let little = (0..<size).map { UInt8(truncatingIfNeeded: pattern >> UInt64(8 * $0)) }
  return bigEndian ? little.reversed() : little
}

private func floats(_ bytes: [UInt8], _ encoding: SampleFormat.Encoding) -> [Float] {
  var samples: [Float] = []
  SampleConversion.append(bytes.span, as: SampleFormat(encoding), to: &samples)
  return samples
}

@Suite struct SampleConversionTests {
  @Test(arguments: [
    (SampleFormat.Encoding.int16LittleEndian, 2, false), (.int16BigEndian, 2, true),
    (.int24LittleEndian, 3, false), (.int24BigEndian, 3, true),
    (.int32LittleEndian, 4, false), (.int32BigEndian, 4, true), (.signed8, 1, false),
  ])
  func integersAreDividedByTheirFullScale(
    encoding: SampleFormat.Encoding, size: Int, bigEndian: Bool
  ) {
    let fullScale = Int64(1) << Int64(size * 8 - 1)
    let values = [
      0, 1, -1, 2, -2, 0x55, -0x55, fullScale / 2, -fullScale / 2, fullScale - 1, -fullScale,
      1 - fullScale,
    ]
    // Fifty values, which is not a multiple of eight, so that both the vectorized loop and its tail
    // run.
    let all = [0, 1] + values + values + values + values
    let stored = all.flatMap {
      bytes(UInt64(bitPattern: $0), size: size, bigEndian: bigEndian)
    }
    let expected = all.map { Float(Double($0) / Double(fullScale)) }
    #expect(floats(stored, encoding) == expected)
  }

  @Test func everySixteenBitValueIsExact() {
    let all = Array(Int16.min...Int16.max)
    let stored = all.flatMap {
      bytes(UInt64(UInt16(bitPattern: $0)), size: 2, bigEndian: false)
    }
    let samples = floats(stored, .int16LittleEndian)
    #expect(samples.count == 65536)
    #expect(zip(samples, all).allSatisfy { $0 * 32768 == Float($1) })
  }

  @Test func unsignedBytesHaveSilenceAt128() {
    let scaled = floats([0, 1, 127, 128, 129, 255], .unsigned8).map { $0 * 128 }
    #expect(scaled == [-128, -127, -1, 0, 1, 127])
  }

  @Test(arguments: [(SampleFormat.Encoding.float32LittleEndian, false), (.float32BigEndian, true)])
  func singlePrecisionKeepsItsBits(encoding: SampleFormat.Encoding, bigEndian: Bool) {
    let values: [Float] = [
      0, -0.0, 1, -1, 0.1, 3.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
      -.infinity, .nan,
    ]
    let stored = values.flatMap { bytes(UInt64($0.bitPattern), size: 4, bigEndian: bigEndian) }
    #expect(floats(stored, encoding).map(\.bitPattern) == values.map(\.bitPattern))
  }

  @Test(arguments: [(SampleFormat.Encoding.float64LittleEndian, false), (.float64BigEndian, true)])
  func doublePrecisionIsRounded(encoding: SampleFormat.Encoding, bigEndian: Bool) {
    let values: [Double] = [0, 1, -1, 0.1, -0.3, 1e300, 1e-300, .infinity]
    let stored = values.flatMap { bytes($0.bitPattern, size: 8, bigEndian: bigEndian) }
    #expect(floats(stored, encoding) == values.map { Float($0) })
  }

  @Test func muLawFollowsTheTableOfG711() {
    // Table 2a/G.711: the decoder's output values of the segment ends, times 4.
    let codes: [UInt8] = [0xFF, 0xFE, 0xF0, 0xEF, 0xE0, 0xDF, 0x8F, 0x80, 0x7F, 0x7E, 0x0F, 0x00]
    let values: [Float] = [0, 8, 120, 132, 372, 396, 16764, 32124, 0, -8, -16764, -32124]
    #expect(floats(codes, .muLaw) == values.map { $0 / 32768 })
  }

  @Test func aLawFollowsTheTableOfG711() {
    // Table 1a/G.711, even bits inverted: decoder output values times 8.
    let codes: [UInt8] = [0xD5, 0xD4, 0xDA, 0xC5, 0xCA, 0xF5, 0xAA, 0x55, 0x54, 0x2A]
    let values: [Float] = [8, 24, 248, 264, 504, 528, 32256, -8, -24, -32256]
    #expect(floats(codes, .aLaw) == values.map { $0 / 32768 })
  }

  @Test(arguments: SampleFormat.Encoding.allCases)
  func aPartialSampleAtTheEndIsIgnored(encoding: SampleFormat.Encoding) {
    let size = SampleFormat(encoding).bytesPerSample
    for count in 0..<3 * size {
      #expect(floats([UInt8](repeating: 0, count: count), encoding).count == count / size)
    }
  }

  @Test(arguments: SampleFormat.Encoding.allCases.filter { SampleFormat($0).fitsInt16 })
  func integersAgreeWithFloats(encoding: SampleFormat.Encoding) {
    let stored = (0...255).flatMap { [UInt8($0), UInt8(($0 * 7 + 3) & 255)] }
    var integers: [Int16] = [1]
    SampleConversion.append(stored.span, as: SampleFormat(encoding), to: &integers)
    #expect(integers.first == 1)
    #expect(integers.dropFirst().map { Float($0) / 32768 } == floats(stored, encoding))
  }

  @Test func overwritingKeepsTheMemory() {
    var samples = [Float](repeating: 9, count: 1000)
    let capacity = samples.capacity
    SampleConversion.overwrite(
      &samples, with: [0, 0x40, 0, 0xC0].span, as: SampleFormat(.int16LittleEndian))
    #expect(samples == [0.5, -0.5])
    #expect(samples.capacity == capacity)
  }

  @Test func conversionTo16BitsRoundsToNearestAndClips() {
    #expect(SampleConversion.int16(0.5) == 16384)
    #expect(SampleConversion.int16(1.5 / 32768) == 2)
    #expect(SampleConversion.int16(-1.5 / 32768) == -2)
    #expect(SampleConversion.int16(1.25 / 32768) == 1)
    #expect(SampleConversion.int16(32766.75 / 32768) == 32767)
    #expect(SampleConversion.int16(1) == 32767)
    #expect(SampleConversion.int16(-1) == -32768)
    #expect(SampleConversion.int16(-7) == -32768)
    #expect(SampleConversion.int16(.infinity) == 32767)
    #expect(SampleConversion.int16(-.infinity) == -32768)
    #expect(SampleConversion.int16(.nan) == 0)
  }

  @Test func roundTripThroughSixteenBitsIsExact() {
    #expect((Int16.min...Int16.max).allSatisfy { SampleConversion.int16(Float($0) / 32768) == $0 })
  }

  @Test func validBitsStayInsideTheContainer() {
    #expect(SampleFormat(.int24LittleEndian).validBits == 24)
    #expect(SampleFormat(.int24LittleEndian, validBits: 20).validBits == 20)
    #expect(SampleFormat(.int24LittleEndian, validBits: 99).validBits == 24)
    #expect(SampleFormat(.int24LittleEndian, validBits: 20).bitsPerSample == 24)
  }
}
