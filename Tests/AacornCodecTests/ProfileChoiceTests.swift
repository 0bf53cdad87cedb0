import Testing

@testable import AacornCodec

/// Which profile suits a bitrate, and what goes with it.
@Suite struct ProfileChoiceTests {
  @Test(
    arguments: [
      (48_000, 48_000, 2, .highEfficiency),
      (59_999, 44_100, 2, .highEfficiency), (60_000, 44_100, 2, .lowComplexity),
      (24_000, 48_000, 1, .highEfficiency), (32_000, 48_000, 1, .lowComplexity),
      // The channel of low frequencies takes no part of the bits.
      (149_000, 48_000, 6, .highEfficiency), (150_000, 48_000, 6, .lowComplexity),
      (24_000, 16_000, 2, .highEfficiency), (24_000, 12_000, 2, .lowComplexity),
      (48_000, 96_000, 2, .lowComplexity), (0, 48_000, 2, .lowComplexity),
      (2_000, 48_000, 2, .lowComplexity), (48_000, 48_000, 7, .lowComplexity),
    ] as [(Int, Int, Int, AACEncoder.Profile)])
  func fewBitsOfAChannelAreForHighEfficiency(
    bitrate: Int, sampleRate: Int, channelCount: Int, profile: AACEncoder.Profile
  ) {
    let recommended = AACEncoder.Profile.recommended(
      bitrate: bitrate, sampleRate: sampleRate, channelCount: channelCount)
    #expect(recommended == profile)
  }

  @Test func aConfigurationWithoutAProfileGetsTheRecommendedOne() throws {
    for (rateControl, profile) in [
      (nil, .lowComplexity), (.constant(bitsPerSecond: 48_000), .highEfficiency),
      (.average(bitsPerSecond: 48_000), .highEfficiency),
      (.constant(bitsPerSecond: 96_000), .lowComplexity), (.variable(level: 1), .lowComplexity),
    ] as [(AACEncoder.RateControl?, AACEncoder.Profile)] {
      let configuration = AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: 2, rateControl: rateControl, profile: nil)
      #expect(configuration.profile == profile)
      try configuration.validate()
    }
  }

  @Test func theUsualRateOfEveryProfileIsPossible() throws {
    for profile in AACEncoder.Profile.allCases {
      for sampleRate in [16_000, 22_050, 24_000, 32_000, 44_100, 48_000] {
        for channelCount in profile == .highEfficiencyV2 ? [2] : [1, 2, 3, 4, 5, 6, 8] {
          let configuration = AACEncoder.Configuration(
            sampleRate: sampleRate, channelCount: channelCount, rateControl: nil,
            profile: profile)
          try configuration.validate()
          #expect(configuration.profile == profile)
        }
      }
    }
  }

  @Test(arguments: [8_000, 11_025, 12_000, 64_000, 88_200, 96_000])
  func aRateThatOnlyTheCoreHasIsCalledSo(sampleRate: Int) {
    let configuration = AACEncoder.Configuration(
      sampleRate: sampleRate, channelCount: 2, rateControl: nil, profile: .highEfficiency)
    #expect(throws: EncoderError.unsupportedReplicationRate(sampleRate)) {
      try configuration.validate()
    }
  }

  @Test func aStreamCanBeEnteredWhereItsHeaderIs() throws {
    let encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: 2, rateControl: nil, profile: .highEfficiency))
    #expect(encoder.audioSpecificConfig.entryDistance == 8)
    #expect(encoder.audioSpecificConfig.profile == .spectralBandReplication)
    #expect(encoder.timing.samplesPerUnit == 2048 && encoder.timing.sampleRate == 48_000)
    #expect(try AACEncoder().audioSpecificConfig.entryDistance == 1)
  }

  @Test func everyHeaderIsWhereAListenerMayBegin() throws {
    var encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: 48_000),
        profile: .highEfficiency))
    var state: UInt32 = 1
    let samples = (0..<2 * 48_000 * 2).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state) >> 18) / 32_768
    }
    encoder.encode(interleaved: samples.span)
    _ = encoder.finish()
    var reader = FrameReader(encoder.audioSpecificConfig, keepsSpectrum: false)
    let distance = encoder.audioSpecificConfig.entryDistance
    var index = 0
    var ranges: [Range<Int>] = []
    while let unit = encoder.nextAccessUnit() {
      try reader.read(unit.bytes, range: nil)
      let found = reader.block.extensions.compactMap { part in
        part.replicatedFrequencies(
          in: unit.bytes, range: 0..<unit.bytes.count, coreRate: 24_000)
      }
      if index % distance == 0 { #expect(found.count == 1, "unit \(index)") }
      ranges += found
      index += 1
    }
    #expect(index > 2 * distance)
    let first = try #require(ranges.first)
    #expect(ranges.allSatisfy { $0 == first })
    #expect(first.lowerBound > 4000 && first.lowerBound < 12_000 && first.upperBound > 12_000)
    #expect(first.upperBound == encoder.bandwidth)
  }
}
