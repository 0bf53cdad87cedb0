import Testing

@testable import AacornCodec

extension AACEncoder.Profile {
  static let replicating: [AACEncoder.Profile] = [.highEfficiency, .highEfficiencyV2]
}

extension AACEncoder.Configuration {
  static func constant(
    _ bitrate: Int, channels: Int = 1, rate: Int = 44_100, effort: AACEncoder.Effort = .balanced
  ) -> AACEncoder.Configuration {
    AACEncoder.Configuration(
      sampleRate: rate, channelCount: channels, bitrate: bitrate, effort: effort)
  }

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
  /// Expects the samples of the reference decoder from the package's own decoder.
  func expectEqualDecoding() throws {
    let decoded = try DecodedSound(units.map(\.bytes), config)
    #expect(decoded.concealedCount == 0)
    let exact = try self.decoded()
    #expect(decoded.channels.count == exact.count)
    for (samples, exact) in zip(decoded.channels, exact) {
      #expect(Likeness.worst(samples, exact) < 1e-5)
    }
  }

  /// The samples of each channel from the package's own decoder, without priming and padding.
  func trimmedOutput() throws -> [[Float]] {
    let decoded = try DecodedSound(units.map(\.bytes), config)
    try #require(decoded.concealedCount == 0)
    return decoded.channels.map { Array($0.dropFirst(trim.priming).dropLast(trim.remainder)) }
  }
}

extension AACEncoder {
  /// Returns all units that are complete.
  mutating func completeUnits() -> [AccessUnit] {
    var units: [AccessUnit] = []
    while let unit = nextAccessUnit() { units.append(unit) }
    return units
  }
}

extension SegmentSplitter {
  /// Returns the units of all segments that are complete.
  mutating func completeUnits() -> [AccessUnit] {
    var units: [AccessUnit] = []
    while var segment = nextSegment() {
      while let unit = segment.nextAccessUnit() { units.append(unit) }
    }
    return units
  }
}
