import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The settings for one input, derived from the options and from the input's properties.
struct EncodeSettings {
  let configuration: AACEncoder.Configuration
  /// The conversion of the samples for encoding.
  let conversion: SoundConversion
  /// Decisions that were not requested, as sentences.
  private(set) var warnings: [String] = []

  /// Decides everything, or throws why that is impossible.
  init(
    _ options: EncodeCommand.SoundSettings, for info: PCMFileInfo, name: String
  ) throws(CommandFailure) {
    do throws(SoundConversion.Failure) {
      conversion = try SoundConversion(
        from: info.format, byteCount: info.dataByteCount, sampleRate: options.sampleRate,
        channelCount: options.channelCount)
    } catch {
      throw CommandFailure(error, name: name)
    }
    let (rate, channelCount) = (conversion.sampleRate, conversion.channelCount)
    var configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channelCount,
      rateControl: options.rateControl
        ?? AACEncoder.defaultRate(sampleRate: rate, channelCount: channelCount),
      effort: options.effort)
    configuration.bandwidth = options.bandwidth
    configuration.isMPEG2 = options.isMPEG2
    self.configuration = configuration
    let given = info.format.sampleRate
    if options.sampleRate == nil && rate != given {
      warnings.append(
        "“\(displayed(name))” has \(QuantityText.frequency(given)), for which AAC has "
          + "no code; it was converted to \(QuantityText.frequency(rate)).")
    }
  }
}

extension CommandFailure {
  /// Why audio cannot be converted into a form that AAC can carry.
  init(_ error: SoundConversion.Failure, name: String) {
    let file = "“\(displayed(name))” has "
    switch error {
    case .mix(let count, let newCount):
      self.init(
        .unsupported,
        file + "\(QuantityText.count(count, "channel")), which "
          + "cannot be mixed to \(newCount). Choose --channels 1 or 2.")
    case .channelCount(let count):
      self.init(
        .unsupported,
        file + "\(count) channels; AAC takes 1 to 6, or 8. Mix them with --channels 2.")
    case .layout(let count):
      self.init(
        .unsupported,
        file + "\(count) channels for loudspeakers that AAC does "
          + "not combine so. Mix them with --channels 2.")
    case .rate(let rate, let newRate):
      self.init(
        .unsupported,
        file + "a sampling rate of \(rate) Hz, which cannot be converted to "
          + "\(newRate) Hz. Rates from \(Resampler.supportedRates.lowerBound) to "
          + "\(Resampler.supportedRates.upperBound) can.")
    }
  }
}

extension CommandFailure {
  /// Why the encoder rejects a setting.
  init(_ error: EncoderError, _ configuration: AACEncoder.Configuration, name: String) {
    let file = "Cannot encode “\(displayed(name))”: "
    let kind =
      QuantityText.frequency(configuration.sampleRate) + " and "
      + QuantityText.count(configuration.channelCount, "channel")
    switch error {
    case .unsupportedSampleRate(let rate):
      let rates = SamplingFrequency.all.map { "\($0.hertz)" }.joined(separator: ", ")
      self.init(
        .unsupported,
        file + "AAC has no sampling rate of \(rate) Hz. Choose one with --rate: \(rates).")
    case .unsupportedChannelCount(let count):
      self.init(
        .unsupported,
        file + "AAC takes 1 to 6 channels, or 8, not \(count). Mix them with --channels 2.")
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      self.init(
        .unsupported,
        file + "\(requested) bits a second are out of range. With \(kind), choose from "
          + "\(lowest) to \(highest).")
    case .bandwidthOutOfRange(let requested, let highest):
      self.init(
        .unsupported,
        file + "a bandwidth of \(requested) Hz is out of range. With \(kind), choose at most "
          + "\(highest).")
    case .levelOutOfRange(let level):
      self.init(.unsupported, file + "there is no quality \(level). Choose --vbr 1 to 5.")
    }
  }
}
