import Testing

@testable import AacornCodec

@Suite struct FrameReaderTests {
  static let streams = ReferenceDecoderTests.streams + ["lc_pns"]

  @Test func everyTupleDecodesFromItsBits() throws {
    for item in try CodecVectors.load().huffmanTuples {
      var unit = SingleChannelUnit()
      unit.bandCount = 1
      unit.codebook = item.book
      // The first band has four lines: one quad or two pairs.
      unit.spectrum = item.bits + (item.tuple.count == 2 ? item.bits : "")
      let channel = try unit.parsed()
      let expected = item.tuple.count == 2 ? item.tuple + item.tuple : item.tuple
      #expect(channel.spectrum[0..<4].map(Int.init) == expected, "book \(item.book)")
      #expect(channel.spectrum[4...].allSatisfy { $0 == 0 })
      #expect(channel.spectralBits == unit.spectrum.count)
    }
  }

  @Test func everyScaleFactorDifferenceDecodesFromItsBits() throws {
    for item in try CodecVectors.load().scaleFactorDeltas {
      var unit = SingleChannelUnit()
      unit.bandCount = 1
      unit.codebook = 1
      unit.scaleFactors = item.bits
      unit.spectrum = "0"
      let channel = try unit.parsed()
      #expect(channel.scaleFactors == [Int16(100 + item.delta)])
    }
  }

  @Test func blocksBackToBackAreWalkedByTheirByteCount() throws {
    let stream = try CodecVectors.stream("lc_window_switching")
    let bytes = Array(stream.units.joined())
    var reader = FrameReader(stream.configuration)
    var start = 0
    var lengths: [Int] = []
    while start < bytes.count {
      try reader.read(bytes, range: start..<bytes.count)
      lengths.append(reader.block.byteCount)
      start += reader.block.byteCount
    }
    #expect(lengths == stream.units.map(\.count))
  }

  @Test func windowsAndGroupsAreReported() throws {
    let windows = try CodecVectors.stream("lc_window_switching").blocks().map {
      $0.channels[0].window
    }
    #expect(windows.map(\.sequence.rawValue) == [0, 1, 2, 3, 0, 1, 2, 2, 3, 0])
    for window in windows where window.isShort {
      #expect(window.groupCount == 4)
      #expect((0..<4).map { window.groupLengths[$0] } == [1, 2, 3, 2])
    }
  }

  @Test func stereoToolsAreCounted() throws {
    let blocks = try CodecVectors.stream("lc_stereo_ms_intensity").blocks()
    for block in blocks {
      #expect(block.elements[0].kind == .pair && block.elements[0].hasCommonWindow)
      #expect(block.channels[0].intensityBandCount == 0)
    }
    #expect(blocks.contains { $0.elements[0].midSideBandCount > 0 })
    #expect(blocks.contains { $0.channels[1].intensityBandCount > 0 })
  }

  @Test func noiseShapingAndPulsesAreReported() throws {
    let channels = try CodecVectors.stream("lc_tns_pulse").blocks().flatMap { $0.channels }
    #expect(channels.contains { $0.noiseShapingFilters.map(\.isDownward) == [false, true] })
    #expect(channels.contains { $0.window.isShort && $0.hasNoiseShaping })
    for channel in channels {
      #expect(channel.hasNoiseShaping == !channel.noiseShapingFilters.isEmpty)
      let orders = channel.noiseShapingFilters.map(\.order)
      #expect(channel.noiseShapingCoefficients.count == orders.reduce(0, +))
    }
    #expect(channels.map { !$0.pulses.isEmpty } == [false, true, false, false, false, false])
  }

  @Test func spectrumIsLeftOutUnlessAskedFor() throws {
    let stream = try CodecVectors.stream("lc_sine_1k")
    var brief = FrameReader(stream.configuration)
    var full = FrameReader(stream.configuration, keepsSpectrum: true)
    try brief.read(stream.units[3])
    try full.read(stream.units[3])
    #expect(brief.block.channels[0].spectrum.isEmpty)
    #expect(full.block.channels[0].spectrum.count == 1024)
    #expect(brief.block.channels[0].spectralBits == full.block.channels[0].spectralBits)
  }

  @Test func protectedRegionsFollowTheirElements() throws {
    let mono = try CodecVectors.stream("lc_sine_1k")
    var reader = FrameReader(mono.configuration)
    try reader.read(mono.units[0])
    #expect(
      reader.block.protectedRegions
        == [ProtectedRegion(start: 3, count: 192, paddedCount: 192)])

    let stereo = try CodecVectors.stream("lc_stereo_ms_intensity")
    try reader.read(stereo.units[0])
    let second = reader.block.channels[1]
    let start =
      reader.block.elements[0].bits.upperBound - second.sideInformationBits - second.spectralBits
    #expect(
      reader.block.protectedRegions == [
        ProtectedRegion(start: 3, count: 192, paddedCount: 192),
        ProtectedRegion(start: start, count: 128, paddedCount: 128),
      ])
  }

  @Test func dataAndFillElementsAreReported() throws {
    var writer = BitWriter()
    // An empty fill element, and a byte-aligned data element of three bytes.
    writer.put([(6, 3), (0, 4), (4, 3), (5, 4), (1, 1), (3, 8)])
    writer.alignToByte()
    writer.put([(1, 8), (2, 8), (3, 8)])
    // A fill element of 16 bytes: dynamic range control in two bytes, then a fixed pattern.
    writer.put([(6, 3), (15, 4), (2, 8), (0xB, 4), (0, 4), (0x85, 8), (0x10, 8)])
    for _ in 0..<13 { writer.put(0xA5, count: 8) }
    // An empty fill element, and the end.
    writer.put([(6, 3), (0, 4), (7, 3)])
    let bits = writer.bitCount

    var reader = FrameReader(lowComplexity)
    try reader.read(writer.bytes)
    let block = reader.block
    #expect(block.bitCount == bits)
    #expect(block.elements.map(\.kind) == [.fill, .data, .fill, .fill])
    #expect(block.elements.map(\.byteCount) == [0, 3, 16, 0])
    #expect(block.elements[1].tag == 5)
    #expect(block.extensions.map(\.kind) == [.dynamicRange, .fillData])
    #expect(block.fillByteCount == 14)
    #expect(block.protectedRegions == [ProtectedRegion(start: 10, count: 38, paddedCount: 38)])
  }

  @Test func programConfigIsRead() throws {
    let layout = try #require(ChannelConfiguration(rawValue: 6))
    let rate = try #require(SamplingFrequency(hertz: 48_000))
    let config = ProgramConfig(layout, samplingFrequency: rate)
    var writer = BitWriter()
    writer.put(5, count: 3)
    config.write(to: &writer, origin: 0)
    writer.put(7, count: 3)
    // The block begins in the middle of the bytes.
    let bytes = [0xAA, 0xBB, 0xCC] + writer.bytes
    var reader = FrameReader(lowComplexity)
    try reader.read(bytes, range: 3..<bytes.count)
    #expect(reader.block.programConfig == config)
    #expect(reader.block.bitCount == writer.bitCount)
  }
}

@Suite struct ParserRobustnessTests {
  private func expectError(
    _ reason: ParseError.Reason, _ change: (inout SingleChannelUnit) -> Void
  ) {
    var unit = SingleChannelUnit()
    change(&unit)
    do {
      _ = try unit.parsed()
      Issue.record("no error instead of \(reason)")
    } catch {
      #expect(error.reason == reason)
    }
  }

  @Test func invalidBlocksThrowSpecificErrors() {
    expectError(.tooManyBands(count: 50, limit: 49)) { $0.bandCount = 50 }
    expectError(.reservedCodebook) { ($0.bandCount, $0.codebook) = (1, Int(Codebook.reserved)) }
    expectError(.sectionTooLong(end: 3, limit: 2)) { ($0.bandCount, $0.sectionLength) = (2, 3) }
    expectError(.scaleFactorOutOfRange(310)) {
      ($0.bandCount, $0.codebook, $0.globalGain) = (1, 1, 250)
      $0.scaleFactors = "1111111111111110011"
    }
    expectError(.prediction) { $0.hasPrediction = true }
    expectError(.gainControl) { $0.tools = "001" }
    // One filter of order 13, with coefficients of four bits.
    expectError(.noiseShapingOrder(13, limit: 12)) {
      $0.tools = "01" + "01" + "1" + "000001" + "01101"
    }
    // One pulse in the band after the last.
    expectError(.tooManyBands(count: 49, limit: 48)) {
      $0.tools = "1" + "00" + "110001" + "00000" + "0001"
    }
    // Four pulses, 31 lines apart, from the start of the last band.
    expectError(.pulseOutOfRange(line: 928 + 4 * 31)) {
      $0.tools = "1" + "11" + "110000" + String(repeating: "111110001", count: 4)
    }
    // Codebook 11, both values escaped. The first escape has a prefix of nine ones, one more than
    // allowed.
    expectError(.escapeTooLong) {
      ($0.bandCount, $0.codebook) = (1, Int(Codebook.escape))
      $0.spectrum = "00100" + "00" + "1111111110"
    }
  }

  @Test func everyCutIsTruncation() throws {
    let unit = try CodecVectors.stream("lc_tns_pulse").units[1]
    var reader = FrameReader(lowComplexity)
    for count in 0..<unit.count {
      #expect(throws: ParseError(.truncated, bitPosition: count * 8)) {
        try reader.read(unit, range: 0..<count)
      }
    }
  }

  @Test func objectTypesWithAnotherSyntaxAreRefused() {
    var reader = FrameReader(.test(.errorResilientLowComplexity, channels: 2))
    #expect(throws: ParseError(.unsupportedObjectType(17), bitPosition: 0)) {
      try reader.read([0, 0, 0])
    }
  }

  @Test func elementsOfOneKindAreLimited() {
    // Each single element: identifier, tag, gain, window without bands, no tools.
    let single = "000" + "0000" + "00000000" + "0" + "00" + "0" + "000000" + "0" + "000"
    var reader = FrameReader(lowComplexity)
    #expect(throws: Never.self) {
      try reader.read(bytes(String(repeating: single, count: 16) + "111"))
    }
    #expect(throws: ParseError(.tooManyElements(.single), bitPosition: 16 * 29 + 7)) {
      try reader.read(bytes(String(repeating: single, count: 17) + "111"))
    }
  }
}

private let lowComplexity = AudioSpecificConfig.test()

private func bytes(_ digits: String) -> [UInt8] {
  var writer = BitWriter()
  for digit in digits { writer.put(digit == "1" ? 1 : 0, count: 1) }
  return writer.bytes
}

/// A raw_data_block of one single channel element with one section in a long window.
private struct SingleChannelUnit {
  var globalGain = 100
  var bandCount = 0
  var hasPrediction = false
  var codebook = 0
  /// The number of bands in the section, if not all.
  var sectionLength: Int?
  /// The bits of the scale factors; by default a difference of zero per band.
  var scaleFactors: String?
  /// The bits from the pulse flag to the gain control flag.
  var tools = "000"
  var spectrum = ""

  func parsed() throws(ParseError) -> ParsedChannel {
    var digits = "000" + "0000" + binary(globalGain, 8)
    digits += "0" + "00" + "0" + binary(bandCount, 6) + (hasPrediction ? "1" : "0")
    if bandCount > 0 { digits += binary(codebook, 4) + binary(sectionLength ?? bandCount, 5) }
    let coded = codebook > 0 ? String(repeating: "0", count: bandCount) : ""
    digits += (scaleFactors ?? coded) + tools + spectrum + "111"
    var reader = FrameReader(lowComplexity, keepsSpectrum: true)
    try reader.read(bytes(digits))
    return reader.block.channels[0]
  }

  private func binary(_ value: Int, _ count: Int) -> String {
    (0..<count).reversed().map { value >> $0 & 1 == 1 ? "1" : "0" }.joined()
  }
}
