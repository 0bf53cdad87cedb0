import Testing

@testable import AacornCodec

/// The interface of HE-AAC v2 without encoding: limits, rejected configurations, and signaling for
/// decoders.
@Suite struct ParametricStereoProfileTests {
  private static func configuration(
    rate: Int = 48_000, channels: Int = 2, _ control: AACEncoder.RateControl? = nil
  ) -> AACEncoder.Configuration {
    AACEncoder.Configuration(
      sampleRate: rate, channelCount: channels, rateControl: control, profile: .highEfficiencyV2)
  }

  @Test(arguments: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
  func configSignalsMonoCoreWithStereoOutput(rate: Int) throws {
    let encoder = try AACEncoder(Self.configuration(rate: rate))
    let stream = encoder.audioSpecificConfig
    #expect(stream.objectType == .lowComplexity && stream.profile == .parametricStereo)
    #expect(stream.sampleRate == rate / 2 && stream.outputSampleRate == rate)
    #expect(stream.channelConfiguration == 1 && stream.channelCount == 1)
    #expect(stream.outputChannelCount == 2 && stream.bufferedChannelCount == 1)
    #expect(stream.signaling == .backwardCompatible)
    #expect(AudioSpecificConfig(parsing: stream.bytes) == stream)
    #expect(encoder.configuration.channelCount == 2)
    #expect(encoder.timing.sampleRate == rate && encoder.timing.samplesPerUnit == 2048)
  }

  @Test func theBytesOfTheConfigurationAreThoseOfTheStandard() throws {
    // AAC-LC, 24 kHz, one channel; 0x2B7, SBR, 48 kHz; 0x548, PS.
    #expect(
      try AACEncoder(Self.configuration()).audioSpecificConfig.bytes
        == [0x13, 0x08, 0x56, 0xE5, 0x9D, 0x48, 0x80])
    #expect(
      try AACEncoder(Self.configuration(rate: 44_100)).audioSpecificConfig.bytes
        == FormatVectors.bytes("HE-AACv2 22.05->44.1, backward-compatible 0x2b7 + 0x548"))
  }

  @Test(arguments: [1, 3, 4, 5, 6, 8])
  func otherNumbersOfChannelsAreRefused(channels: Int) {
    let configuration = Self.configuration(channels: channels, .constant(bitsPerSecond: 32_000))
    #expect(throws: EncoderError.unsupportedStereoProfile(channelCount: channels)) {
      try configuration.validate()
    }
    #expect(
      AACEncoder.bitrateLimits(
        sampleRate: 48_000, channelCount: channels, profile: .highEfficiencyV2) == nil)
  }

  @Test(arguments: [8_000, 11_025, 12_000, 64_000, 88_200, 96_000])
  func coreOnlyRateHasSpecificError(rate: Int) {
    #expect(throws: EncoderError.unsupportedReplicationRate(rate)) {
      try Self.configuration(rate: rate).validate()
    }
  }

  @Test func theLimitsThemselvesAreAccepted() throws {
    let limits = try #require(
      AACEncoder.bitrateLimits(sampleRate: 48_000, channelCount: 2, profile: .highEfficiencyV2))
    for bitrate in [limits.lowerBound, limits.upperBound] {
      try Self.configuration(.constant(bitsPerSecond: bitrate)).validate()
    }
    for bitrate in [limits.lowerBound - 1, limits.upperBound + 1] {
      #expect(
        throws: EncoderError.bitrateOutOfRange(
          requested: bitrate, lowest: limits.lowerBound, highest: limits.upperBound)
      ) {
        try Self.configuration(.average(bitsPerSecond: bitrate)).validate()
      }
    }
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

  /// A higher bitrate never selects a profile for lower bitrates.
  @Test func profilesAreOrderedByBitrate() {
    #expect(
      AACEncoder.Profile.allCases == [.lowComplexity, .highEfficiency, .highEfficiencyV2])
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
}
