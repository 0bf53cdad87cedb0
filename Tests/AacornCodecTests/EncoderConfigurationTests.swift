import Testing

@testable import AacornCodec

@Suite struct EncoderConfigurationTests {
  static func error(
    rate: Int = 44_100, channels: Int = 2,
    _ control: AACEncoder.RateControl = .constant(bitsPerSecond: 128_000), bandwidth: Int? = nil,
    profile: AACEncoder.Profile = .lowComplexity
  ) -> EncoderError? {
    var configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channels, rateControl: control)
    configuration.bandwidth = bandwidth
    configuration.profile = profile
    let errors = [
      Self.error { () throws(EncoderError) in _ = try AACEncoder(configuration) },
      Self.error { () throws(EncoderError) in try configuration.validate() },
    ]
    #expect(errors[0] == errors[1])
    return errors[0]
  }

  private static func error(_ body: () throws(EncoderError) -> Void) -> EncoderError? {
    do throws(EncoderError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [0, -1, 44_101, 37_800, 192_000, Int.max, Int.min])
  func ratesWithoutAnIndexAreRefused(rate: Int) {
    #expect(Self.error(rate: rate) == .unsupportedSampleRate(rate))
    #expect(AACEncoder.bitrateLimits(sampleRate: rate, channelCount: 2) == nil)
  }

  @Test(arguments: [0, -2, 7, 9, Int.max, Int.min])
  func encoderRejectsUnsupportedChannelCounts(channels: Int) {
    #expect(Self.error(channels: channels) == .unsupportedChannelCount(channels))
    #expect(AACEncoder.bitrateLimits(sampleRate: 44_100, channelCount: channels) == nil)
  }

  @Test(arguments: [0, -5, 1, 1000, Int.min, Int.max, 10_000_000])
  func bitratesOutsideTheLimitsAreRefused(bitrate: Int) throws {
    let limits = try #require(AACEncoder.bitrateLimits(sampleRate: 44_100, channelCount: 2))
    let expected = EncoderError.bitrateOutOfRange(
      requested: bitrate, lowest: limits.lowerBound, highest: limits.upperBound)
    #expect(Self.error(.constant(bitsPerSecond: bitrate)) == expected)
    #expect(Self.error(.average(bitsPerSecond: bitrate)) == expected)
  }

  @Test(arguments: SamplingFrequency.all.map(\.hertz), [1, 2, 3, 4, 5, 6, 8])
  func theLimitsThemselvesAreAccepted(rate: Int, channels: Int) throws {
    let limits = try #require(AACEncoder.bitrateLimits(sampleRate: rate, channelCount: channels))
    for bitrate in [limits.lowerBound, limits.upperBound] {
      #expect(Self.error(rate: rate, channels: channels, .constant(bitsPerSecond: bitrate)) == nil)
    }
    for bitrate in [limits.lowerBound - 1, limits.upperBound + 1] {
      #expect(
        Self.error(rate: rate, channels: channels, .average(bitsPerSecond: bitrate))
          == .bitrateOutOfRange(
            requested: bitrate, lowest: limits.lowerBound, highest: limits.upperBound))
    }
  }

  @Test(arguments: [0, -1, 22_051, Int.max, Int.min])
  func bandwidthsBeyondHalfTheRateAreRefused(bandwidth: Int) {
    #expect(
      Self.error(bandwidth: bandwidth)
        == .bandwidthOutOfRange(requested: bandwidth, highest: 22_050))
    for possible in [1, 100, 22_050] { #expect(Self.error(bandwidth: possible) == nil) }
  }

  @Test(arguments: [0, 6, -1, Int.max, Int.min])
  func levelsOutsideOneToFiveAreRefused(level: Int) {
    #expect(Self.error(.variable(level: level)) == .levelOutOfRange(level))
    for possible in 1...5 { #expect(Self.error(.variable(level: possible)) == nil) }
  }

  @Test(arguments: SamplingFrequency.all.map(\.hertz), [1, 2, 3, 4, 5, 6, 8])
  func audioSpecificConfigContainsRateAndLayout(rate: Int, channels: Int) throws {
    let encoder = try AACEncoder(
      .init(sampleRate: rate, channelCount: channels, rateControl: .variable(level: 3)))
    let config = encoder.audioSpecificConfig
    #expect(config == .test(rate: rate, channels: config.channelConfiguration))
    #expect(config.channelCount == channels && (1...rate / 2).contains(encoder.bandwidth))
  }

  @Test func errorsArePrintedAsMessages() {
    let error = EncoderError.bitrateOutOfRange(
      requested: 9_000_000, lowest: 18_750, highest: 575_250)
    #expect(
      "\(error)" == "A bitrate of 9000 kb/s is out of range; choose from 18.75 to 575.25.")
    #expect(
      "\(EncoderError.bitrateOutOfRange(requested: -1, lowest: 1, highest: .max))"
        == "A bitrate of -0.001 kb/s is out of range; choose from 0.001 to 9223372036854775.807.")
    #expect("\(DecoderError.unsupportedObjectType(.scalableSamplingRate))".contains("AAC SSR"))
    #expect("\(AudioConversion.Failure.rate(from: 7, to: 9))".contains("7 Hz"))
  }
}
