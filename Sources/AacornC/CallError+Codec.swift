import AacornCodec

extension CallError {
  init(_ error: EncoderError, _ configuration: AACEncoder.Configuration) {
    let kind = "\(configuration.sampleRate) Hz and \(configuration.channelCount) channels"
    switch error {
    case .unsupportedSampleRate(let rate):
      self.init(
        Status.sampleRate,
        "AAC does not support a sampling rate of \(rate) Hz: choose one of "
          + Self.rates(SamplingFrequency.all.map { $0.hertz }) + ".")
    case .unsupportedReplicationRate(let rate):
      let profile = configuration.profile
      let rates = SamplingFrequency.all.map { $0.hertz }.filter { rate in
        AACEncoder.bitrateLimits(sampleRate: rate, channelCount: 2, profile: profile) != nil
      }
      self.init(
        Status.sampleRate,
        "HE-AAC does not support a sampling rate of \(rate) Hz: choose one of "
          + Self.rates(rates) + ", or AAC-LC.")
    case .unsupportedChannelCount(let count):
      self.init(Status.channels, "AAC supports 1 to 6 channels, or 8, not \(count).")
    case .unsupportedStereoProfile(let count):
      self.init(
        Status.channels, "HE-AAC v2 is for 2 channels, not \(count): choose HE-AAC, or AAC-LC.")
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      self.init(
        Status.rate,
        "\(requested) bits per second are out of range: with \(kind), choose from \(lowest) to "
          + "\(highest).")
    case .signalingWithoutReplication:
      self.init(
        Status.combination,
        "AAC-LC has no band replication to signal: leave signaling 0, or choose HE-AAC.")
    case .bandwidthOutOfRange(let requested, let highest):
      self.init(
        Status.bandwidth,
        "A bandwidth of \(requested) Hz is out of range: with \(kind), choose at most \(highest).")
    case .levelOutOfRange(let level):
      self.init(Status.rate, "The level \(level) is out of range: choose from 1 to 5.")
    case .noBitrateToChange:
      self.init(Status.rate, "A variable rate has no bitrate to change: choose a constant one.")
    }
  }

  init(_ error: DecoderError) {
    switch error {
    case .unsupportedObjectType(let type):
      self.init(
        Status.unsupported,
        "The input contains frames of object type \(type.rawValue), which are not supported.")
    case .unsupportedChannels(let number):
      self.init(
        Status.unsupported,
        "The input has an unsupported channel configuration (\(number)).")
    case .invalidConfiguration: self = .withoutConfiguration
    }
  }

  /// The failure for an input with a missing or invalid configuration.
  static var withoutConfiguration: CallError {
    CallError(
      Status.config,
      "The input has no valid decoder configuration: check the program that created it.")
  }

  private static func rates(_ rates: [Int]) -> String {
    rates.map { "\($0)" }.joined(separator: ", ")
  }
}
