import Testing

@testable import AacornCodec

/// The parameters of parametric stereo, without applying them.
@Suite struct StereoParameterReaderTests {
  private static func facts(
    _ reader: inout StereoParameterReader, _ data: (bytes: [UInt8], bitCount: Int)
  ) -> StereoFacts {
    var bits = BitReader(data.bytes)
    let state = reader.read(&bits, bitCount: data.bitCount)
    defer { reader.finish() }
    return StereoFacts(state, reader.parameters)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5], [false, true])
  func readerReportsWrittenStereoData(levelMode: Int, hasPhases: Bool) {
    let header = ParametricStereoTests.header(levelMode, 5 - levelMode)
    let counts = [1, 0, 4, 2]
    let script = StereoScript(header: header, hasPhases: hasPhases, counts: counts)
    var reader = StereoParameterReader()
    for (frame, count) in counts.enumerated() {
      let facts = Self.facts(&reader, script.data(frame))
      #expect(facts.state == .read && facts.envelopeCount == count)
      #expect(facts.levelBandCount == [10, 20, 34][levelMode % 3])
      #expect(facts.coherenceBandCount == [10, 20, 34][(5 - levelMode) % 3])
      #expect(facts.hasFineLevels == (levelMode >= 3) && facts.hasPhases == hasPhases)
    }
  }

  @Test func readerOmitsParametersNotSent() {
    var data = StereoData()
    data.hasHeader = true
    data.header = StereoHeader(
      hasLevels: false, levelMode: 4, hasCoherences: true, coherenceMode: 0)
    data.envelopeCount = 1
    let (bytes, count) = StereoSound.bits(data)
    var reader = StereoParameterReader()
    let facts = Self.facts(&reader, (bytes: bytes, bitCount: count))
    #expect(facts.state == .read && facts.levelBandCount == 0 && !facts.hasFineLevels)
    #expect(facts.coherenceBandCount == 10)
  }

  @Test func nothingIsReadBeforeAHeader() {
    let script = StereoScript(header: ParametricStereoTests.header(1, 1), counts: [2, 1])
    var reader = StereoParameterReader()
    #expect(Self.facts(&reader, script.data(1)).state == .withoutHeader)
    #expect(Self.facts(&reader, script.data(0)).state == .read)
    #expect(Self.facts(&reader, script.data(1)).state == .read)
  }

  @Test func cutsAndIllegalModesAreDamage() {
    let script = StereoScript(header: ParametricStereoTests.header(4, 2), counts: [4, 1])
    let (bytes, bitCount) = script.data(0)
    for count in 1..<bitCount {
      var reader = StereoParameterReader()
      #expect(Self.facts(&reader, (bytes: bytes, bitCount: count)).state == .damaged)
      #expect(Self.facts(&reader, (bytes: bytes, bitCount: bitCount)).state == .read)
    }
    // A header with level mode 6, which is reserved.
    var reader = StereoParameterReader()
    let illegal: [UInt8] = [0b1111_0000, 0, 0, 0]
    #expect(Self.facts(&reader, (bytes: illegal, bitCount: 32)).state == .damaged)
  }

  /// Data that leads out of range does not change the parameters.
  @Test func levelsBeyondTheirRangeAreDamage() {
    var data = StereoData()
    data.hasHeader = true
    data.header = ParametricStereoTests.header(0, 0)
    data.envelopeCount = 1
    data.levels.differences[0] = 7
    let right = StereoSound.bits(data)
    data.levels.differences[1] = 7
    let wrong = StereoSound.bits(data)
    var reader = StereoParameterReader()
    for (bits, state) in [(right, .read), (wrong, .damaged), (right, .read)]
      as [((bytes: [UInt8], count: Int), StereoFacts.State)]
    {
      #expect(Self.facts(&reader, (bytes: bits.bytes, bitCount: bits.count)).state == state)
    }
  }
}
