import Testing

@testable import AacornCodec

@Suite struct ProfileChoiceTests {
  @Test(
    arguments: [
      (48_000, 48_000, 2, .highEfficiency),
      (87_999, 44_100, 2, .highEfficiency), (88_000, 44_100, 2, .lowComplexity),
      (43_999, 48_000, 1, .highEfficiency), (44_000, 48_000, 1, .lowComplexity),
      // The LFE does not count as a channel.
      (219_000, 48_000, 6, .highEfficiency), (220_000, 48_000, 6, .lowComplexity),
      // At lower sample rates, AAC-LC needs fewer bits.
      (28_000, 16_000, 2, .lowComplexity), (24_000, 12_000, 2, .lowComplexity),
      (32_000, 24_000, 2, .highEfficiency), (33_000, 24_000, 2, .lowComplexity),
      // Only a pair of channels can use parametric stereo.
      (27_999, 48_000, 2, .highEfficiencyV2), (28_000, 48_000, 2, .highEfficiency),
      (12_000, 32_000, 2, .highEfficiencyV2), (16_000, 48_000, 1, .highEfficiency),
      (48_000, 96_000, 2, .lowComplexity), (0, 48_000, 2, .lowComplexity),
      (2_000, 48_000, 2, .lowComplexity), (48_000, 48_000, 7, .lowComplexity),
    ] as [(Int, Int, Int, AACEncoder.Profile)])
  func lowBitratesSelectHighEfficiency(
    bitrate: Int, sampleRate: Int, channelCount: Int, profile: AACEncoder.Profile
  ) {
    let recommended = AACEncoder.Profile.recommended(
      bitrate: bitrate, sampleRate: sampleRate, channelCount: channelCount)
    #expect(recommended == profile)
  }

  @Test func parametricStereoIsRecommendedForStereoOnly() {
    for bitrate in stride(from: 8_000, through: 128_000, by: 1_000) {
      for channels in [1, 3, 6] {
        let profile = AACEncoder.Profile.recommended(
          bitrate: bitrate, sampleRate: 48_000, channelCount: channels)
        #expect(profile != .highEfficiencyV2)
      }
    }
  }

  @Test func profilesAreOrderedByBitrate() {
    #expect(AACEncoder.Profile.allCases == [.lowComplexity, .highEfficiency, .highEfficiencyV2])
    let order = AACEncoder.Profile.allCases
    var last = order.count - 1
    for bitrate in stride(from: 8_000, through: 128_000, by: 1_000) {
      let profile = AACEncoder.Profile.recommended(
        bitrate: bitrate, sampleRate: 48_000, channelCount: 2)
      // Below the minimum bitrates of the other profiles, only the first profile is possible.
      guard profile != .lowComplexity || bitrate >= 88_000 else { continue }
      let index = order.firstIndex(of: profile) ?? 0
      #expect(index <= last, "\(bitrate)")
      last = index
    }
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

  @Test func defaultBitrateOfEveryProfileIsValid() throws {
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

  /// Object type 2 is the core's, 5 is SBR.
  ///
  /// In the comments, a number after a colon is the size of a field in bits; 0x2B7 announces the
  /// extension.
  ///
  /// The codes of the sample rates are 3 for 48, 4 for 44.1, 5 for 32, 6 for 24, 7 for 22.05 and 8
  /// for 16 kHz.
  @Test(
    arguments: [
      // type:5 rate:4 channels:4 flags:3
      (48_000, 2, .implicit, [0x13, 0x10]),
      // … 0x2B7:11 type:5 present:1 rate:4
      (48_000, 2, nil, [0x13, 0x10, 0x56, 0xE5, 0x98]),
      (48_000, 2, .backwardCompatible, [0x13, 0x10, 0x56, 0xE5, 0x98]),
      // type:5 rate:4 channels:4 rate:4 type:5 flags:3
      (48_000, 2, .hierarchical, [0x2B, 0x11, 0x88, 0x00]),
      (44_100, 2, .implicit, [0x13, 0x90]),
      (44_100, 2, .backwardCompatible, [0x13, 0x90, 0x56, 0xE5, 0xA0]),
      (44_100, 2, .hierarchical, [0x2B, 0x92, 0x08, 0x00]),
      (32_000, 1, .implicit, [0x14, 0x08]),
      (32_000, 1, .backwardCompatible, [0x14, 0x08, 0x56, 0xE5, 0xA8]),
      (32_000, 1, .hierarchical, [0x2C, 0x0A, 0x88, 0x00]),
      (48_000, 6, .implicit, [0x13, 0x30]),
      (48_000, 6, .backwardCompatible, [0x13, 0x30, 0x56, 0xE5, 0x98]),
      (48_000, 6, .hierarchical, [0x2B, 0x31, 0x88, 0x00]),
    ] as [(Int, Int, AudioSpecificConfig.Signaling?, [UInt8])])
  func configUsesRequestedSignaling(
    sampleRate: Int, channelCount: Int, signaling: AudioSpecificConfig.Signaling?, bytes: [UInt8]
  ) throws {
    let encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: sampleRate, channelCount: channelCount, rateControl: nil,
        profile: .highEfficiency, signaling: signaling))
    let config = encoder.audioSpecificConfig
    #expect(config.bytes == bytes)
    // The encoder's configuration has the profile, even if the bytes do not signal it.
    #expect(config.profile == .spectralBandReplication)
    #expect(config.entryDistance == (sampleRate > 32_000 ? 8 : 4))
    #expect(StreamTiming(config).sampleRate == sampleRate)
    #expect(StreamTiming(config).samplesPerUnit == encoder.timing.samplesPerUnit)
    let read = try #require(AudioSpecificConfig(parsing: bytes))
    #expect(read.sampleRate == sampleRate / 2 && read.channelCount == channelCount)
    #expect(read.objectType == .lowComplexity)
    #expect(read.profile == (signaling == .implicit ? .lowComplexity : .spectralBandReplication))
    #expect(read.signaling == config.signaling)
    #expect(read.extensionSampleRate == (signaling == .implicit ? nil : sampleRate))
  }

  @Test(
    arguments: [.implicit, .backwardCompatible, .hierarchical] as [AudioSpecificConfig.Signaling])
  func lowComplexityHasNothingToSignal(signaling: AudioSpecificConfig.Signaling) throws {
    let chosen = AACEncoder.Configuration(
      sampleRate: 48_000, channelCount: 2, rateControl: nil, profile: .lowComplexity,
      signaling: signaling)
    #expect(throws: EncoderError.signalingWithoutReplication) { try chosen.validate() }
    #expect(throws: EncoderError.signalingWithoutReplication) { _ = try AACEncoder(chosen) }
    // The recommended configuration has a signaling only for a profile that needs it.
    for (bitrate, wanted) in [(48_000, signaling), (128_000, nil)]
      as [(Int, AudioSpecificConfig.Signaling?)]
    {
      let recommended = AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: bitrate),
        profile: nil, signaling: signaling)
      #expect(recommended.signaling == wanted)
      try recommended.validate()
    }
  }
}
