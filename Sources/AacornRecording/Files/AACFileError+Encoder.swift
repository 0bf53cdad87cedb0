import AacornCodec
package import AacornContainers
import AacornSignal
import AacornSystem

extension AACFileError {
  /// Creates the error for audio that cannot be converted to a form for AAC.
  init(_ error: AudioConversion.Failure, name: String) {
    let file = "“\(displayed(name))” has "
    switch error {
    case .mix(let count, let newCount):
      self.init(
        .unsupported,
        file + "\(QuantityText.count(count, "channel")), which cannot be mixed to \(newCount).",
        (1...2).contains(newCount)
          ? .text("Reduce them with another program first.") : .chooseChannelCount([1, 2]))
    case .channelCount(let count):
      self.init(
        .unsupported, file + "\(count) channels; AAC supports 1 to 6, or 8.", .mixChannels(to: 2))
    case .layout(let count):
      self.init(
        .unsupported,
        file + "\(count) channels in a speaker layout that AAC does not support.",
        .mixChannels(to: 2))
    case .rate(let rate, let newRate):
      self.init(
        .unsupported,
        file + "a sampling rate of \(rate) Hz, which cannot be converted to \(newRate) Hz.",
        .text(
          "Rates from \(Resampler.supportedRates.lowerBound) to "
            + "\(Resampler.supportedRates.upperBound) Hz can be converted."))
    }
  }

  init(_ error: EncoderError, _ configuration: AACEncoder.Configuration, name: String) {
    let file = "Cannot encode “\(displayed(name))”: "
    let kind =
      (configuration.profile == .lowComplexity ? "" : configuration.profile.name + ", ")
      + QuantityText.frequency(configuration.sampleRate) + " and "
      + QuantityText.count(configuration.channelCount, "channel")
    switch error {
    case .unsupportedSampleRate(let rate):
      self.init(
        .unsupported, file + "AAC does not support a sampling rate of \(rate) Hz.",
        .chooseRate(AACEncoder.Profile.lowComplexity.sampleRates))
    case .unsupportedReplicationRate(let rate):
      let profile = configuration.profile
      self.init(
        .unsupported, file + "\(profile.name) does not support a sampling rate of \(rate) Hz.",
        .chooseRate(profile.sampleRates))
    case .unsupportedChannelCount(let count):
      self.init(
        .unsupported, file + "AAC supports 1 to 6 channels, or 8, not \(count).",
        .mixChannels(to: 2))
    case .unsupportedStereoProfile(let count):
      self.init(
        .unsupported, file + "HE-AAC v2 is for 2 channels, not \(count).",
        count == 1 ? .text("Choose HE-AAC for mono.") : .mixChannels(to: 2))
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      self.init(
        .unsupported,
        file + "a bitrate of \(QuantityText.exactBitrate(requested)) is out of range.",
        .text("With \(kind), choose from \(QuantityText.bitrateRange(lowest, highest))."))
    case .signalingWithoutReplication:
      self.init(
        .unsupported, file + "AAC-LC has no band replication to signal.",
        .text("Choose HE-AAC, or no signaling."))
    case .bandwidthOutOfRange(let requested, let highest):
      self.init(
        .unsupported, file + "a bandwidth of \(requested) Hz is out of range.",
        .text("With \(kind), choose at most \(highest)."))
    case .levelOutOfRange(let level):
      self.init(.unsupported, file + "quality \(level) is out of range.", .chooseQuality(1...5))
    case .noBitrateToChange:
      self.init(
        .unsupported, file + "at a constant quality there is no bitrate to change.",
        .text("Choose a constant or an average bitrate."))
    }
  }

  package init(_ error: ContainerError, path: String) {
    self.init(
      .unsupported, "Cannot write “\(displayed(path))”: \(error.problem)",
      error.recoveryAction.map { RecoverySuggestion.recoveryAction($0) } ?? RecoverySuggestion.none)
  }
}
