import Testing

@testable import AacornCodec

extension AACEncoder.Profile {
  /// The profiles with band replication.
  static let replicating: [AACEncoder.Profile] = [.highEfficiency, .highEfficiencyV2]
}

extension AACEncoder.Configuration {
  /// A configuration with fast effort and a constant bitrate.
  static func fast(
    _ profile: AACEncoder.Profile, rate: Int = 44_100, channels: Int = 2, bitrate: Int = 48_000
  ) -> AACEncoder.Configuration {
    var configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channels, bitrate: bitrate, effort: .fast)
    configuration.profile = profile
    return configuration
  }
}

extension EncodedSound {
  /// The samples of each channel from the package's own decoder, without priming and padding.
  func trimmedOutput() throws -> [[Float]] {
    let decoded = try DecodedSound(units.map(\.bytes), config)
    try #require(decoded.concealedCount == 0)
    return decoded.channels.map { Array($0.dropFirst(trim.priming).dropLast(trim.remainder)) }
  }
}
