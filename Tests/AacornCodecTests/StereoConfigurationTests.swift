import Testing

@testable import AacornCodec

/// The signaling of HE-AAC v2, compared with manually computed bytes, and its rejected
/// configurations.
@Suite struct StereoConfigurationTests {
  /// type:5 = 2, rate:4, channels:4 = 1, flags:3 = 0; 0x2B7:11, type:5 = 5, present:1, rate:4;
  /// 0x548:11, present:1; and padding with zeros.
  ///
  /// The codes of the sample rates are 3 for 48, 4 for 44.1, 5 for 32, 6 for 24, 7 for 22.05, 8 for
  /// 16, 9 for 12, 10 for 11.025 and 11 for 8 kHz.
  @Test(
    arguments: [
      (48_000, [0x13, 0x08, 0x56, 0xE5, 0x9D, 0x48, 0x80]),
      (44_100, [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80]),
      (32_000, [0x14, 0x08, 0x56, 0xE5, 0xAD, 0x48, 0x80]),
      (24_000, [0x14, 0x88, 0x56, 0xE5, 0xB5, 0x48, 0x80]),
      (22_050, [0x15, 0x08, 0x56, 0xE5, 0xBD, 0x48, 0x80]),
      (16_000, [0x15, 0x88, 0x56, 0xE5, 0xC5, 0x48, 0x80]),
    ] as [(Int, [UInt8])])
  func configSignalsParametricStereo(rate: Int, bytes: [UInt8]) throws {
    let encoder = try AACEncoder(.fast(.highEfficiencyV2, rate: rate, bitrate: 32_000))
    let config = encoder.audioSpecificConfig
    #expect(encoder.configuration.channelCount == 2)
    #expect(config.bytes == bytes && config.signaling == .backwardCompatible)
    #expect(config.objectType == .lowComplexity && config.bufferedChannelCount == 1)
    let read = try #require(AudioSpecificConfig(parsing: bytes))
    #expect(read == config && read.hasParametricStereo && read.profile == .parametricStereo)
    #expect(read.channelCount == 1 && read.outputChannelCount == 2)
    #expect(read.sampleRate == rate / 2 && read.outputSampleRate == rate)
  }

  @Test(arguments: [(48_000, 8), (44_100, 8), (32_000, 4), (24_000, 4), (22_050, 4), (16_000, 2)])
  func headersComeTwiceASecond(rate: Int, distance: Int) throws {
    for profile in AACEncoder.Profile.replicating {
      let encoder = try AACEncoder(.fast(profile, rate: rate, bitrate: 32_000))
      #expect(encoder.audioSpecificConfig.entryDistance == distance)
      #expect(encoder.settings.replication?.headerDistance == distance)
      let timing = StreamTiming(
        sampleRate: rate, samplesPerUnit: 2048, priming: 3010, nominalBitrate: 32_000)
      #expect(encoder.timing == timing && timing.seconds(distance * 2048) <= 0.5)
      // A segment begins with a header.
      #expect(AACEncoder.segmentFrameCount % distance == 0)
    }
    #expect(try AACEncoder(.constant(64_000, rate: rate)).audioSpecificConfig.entryDistance == 1)
  }

  /// The buffer of one channel holds 6,144 bits, two bytes of which are reserved for rounding.
  ///
  /// This allows 6,128 bits per 1,024 samples of the core, but at most 128 kb/s.
  @Test(
    arguments: [
      (48_000, 128_000), (44_100, 128_000), (32_000, 95_750), (24_000, 71_812),
      (22_050, 65_977), (16_000, 47_875),
    ])
  func bitratesHaveLimits(rate: Int, highest: Int) {
    let limits = AACEncoder.bitrateLimits(
      sampleRate: rate, channelCount: 2, profile: .highEfficiencyV2)
    #expect(limits == 12_000...highest)
    for bitrate in [12_000, highest] {
      #expect(Self.error(rate: rate, .constant(bitsPerSecond: bitrate)) == nil)
      #expect(Self.error(rate: rate, .average(bitsPerSecond: bitrate)) == nil)
    }
    for bitrate in [11_999, highest + 1, 0, -1, Int.min, Int.max] {
      let error = EncoderError.bitrateOutOfRange(
        requested: bitrate, lowest: 12_000, highest: highest)
      #expect(Self.error(rate: rate, .constant(bitsPerSecond: bitrate)) == error)
      #expect(Self.error(rate: rate, .average(bitsPerSecond: bitrate)) == error)
    }
  }

  @Test(arguments: [0, -2, 7, 9, Int.max, Int.min])
  func stereoProfileRejectsUnsupportedChannelCounts(channels: Int) {
    #expect(Self.error(channels: channels) == .unsupportedChannelCount(channels))
  }

  @Test(arguments: [1, 3, 4, 5, 6, 8])
  func otherNumbersOfChannelsAreRefused(channels: Int) {
    #expect(Self.error(channels: channels) == .unsupportedStereoProfile(channelCount: channels))
    #expect(
      AACEncoder.bitrateLimits(
        sampleRate: 48_000, channelCount: channels, profile: .highEfficiencyV2) == nil)
  }

  @Test(
    arguments: AACEncoder.Profile.replicating,
    [0, 8_000, 11_025, 12_000, 17_000, 64_000, 88_200, 96_000, Int.max])
  func ratesWithoutReplicationAreRefused(profile: AACEncoder.Profile, rate: Int) {
    let error = EncoderError.unsupportedReplicationRate(rate)
    #expect(
      EncoderConfigurationTests.error(
        rate: rate, .constant(bitsPerSecond: 32_000), profile: profile) == error)
    let configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: 2, rateControl: nil, profile: profile)
    #expect(throws: error) { try configuration.validate() }
    #expect(AACEncoder.bitrateLimits(sampleRate: rate, channelCount: 2, profile: profile) == nil)
  }

  @Test(arguments: 1...5)
  func levelsOfQualityAreAccepted(level: Int) throws {
    #expect(Self.error(.variable(level: level)) == nil)
    #expect(Self.error(.variable(level: level + 5)) == .levelOutOfRange(level + 5))
    var configuration = AACEncoder.Configuration.fast(.highEfficiencyV2)
    configuration.rateControl = .variable(level: level)
    let noise = [Signals.noise(10_000, seed: 1), Signals.noise(10_000, seed: 2)]
    let made = try EncodedSound(noise, configuration).trimmedOutput()
    #expect(made.map(\.count) == [10_000, 10_000])
  }

  private static func error(
    rate: Int = 44_100, channels: Int = 2,
    _ control: AACEncoder.RateControl = .constant(bitsPerSecond: 32_000)
  ) -> EncoderError? {
    EncoderConfigurationTests.error(
      rate: rate, channels: channels, control, profile: .highEfficiencyV2)
  }
}
