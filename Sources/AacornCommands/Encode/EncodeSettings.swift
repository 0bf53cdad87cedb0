import AACCodec
import AACFormat
import PCM
import Platform

/// What becomes of one input: chosen from the options and from what the input is.
struct EncodeSettings {
  let configuration: Encoder.Configuration
  /// How to put the channels into WAV's order, if they are not.
  let channelOrder: [Int]?
  let mixer: ChannelMixer?
  let resampler: Resampler?
  /// What was decided without being asked for, as sentences.
  private(set) var warnings: [String] = []

  /// Settles everything, or says why it cannot be.
  init(
    _ options: EncodeCommand.SoundSettings, for format: PCMFormat, name: String
  ) throws(CommandFailure) {
    let channelCount = options.channelCount ?? format.channelCount
    let rate = options.sampleRate ?? Self.suitableRate(for: format.sampleRate)
    mixer = try Self.mixer(from: format, to: channelCount, name)
    channelOrder = mixer == nil ? try Self.order(of: format, name) : nil
    resampler = try Self.resampler(
      from: format.sampleRate, to: rate, channelCount: channelCount, name)
    var configuration = Encoder.Configuration(
      sampleRate: rate, channelCount: channelCount,
      rateControl: options.rateControl ?? Self.defaultRate(rate, channelCount),
      effort: options.effort)
    configuration.bandwidth = options.bandwidth
    configuration.isMPEG2 = options.isMPEG2
    self.configuration = configuration
    if options.sampleRate == nil && rate != format.sampleRate {
      warnings.append(
        "“\(displayed(name))” has \(QuantityText.frequency(format.sampleRate)), for which AAC has "
          + "no code; it was converted to \(QuantityText.frequency(rate)).")
    }
  }

  /// Whether 16-bit samples reach the encoder as they are.
  var isDirect: Bool { mixer == nil && resampler == nil && channelOrder == nil }

  /// The rate itself if AAC has an index for it, else the next higher usual one, at most 48 kHz.
  static func suitableRate(for rate: Int) -> Int {
    if SamplingFrequency(hertz: rate) != nil { return rate }
    if rate > 48_000 { return rate % 44_100 == 0 ? 44_100 : 48_000 }
    let usual = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100]
    return usual.first { $0 >= rate } ?? 48_000
  }

  /// 64 kb/s a channel, within what the rate allows.
  static func defaultRate(_ sampleRate: Int, _ channelCount: Int) -> Encoder.RateControl {
    let wanted = 64_000 * channelCount
    let limits = Encoder.bitrateLimits(sampleRate: sampleRate, channelCount: channelCount)
    guard let limits else { return .constant(bitsPerSecond: wanted) }
    return .constant(bitsPerSecond: min(max(wanted, limits.lowerBound), limits.upperBound))
  }

  private static func mixer(
    from format: PCMFormat, to channelCount: Int, _ name: String
  ) throws(CommandFailure) -> ChannelMixer? {
    if channelCount == format.channelCount { return nil }
    do throws(PCMError) {
      if let layout = format.layout { return try ChannelMixer(from: layout, to: channelCount) }
      return try ChannelMixer(from: format.channelCount, to: channelCount)
    } catch {
      throw CommandFailure(
        .unsupported,
        "“\(displayed(name))” has \(QuantityText.count(format.channelCount, "channel")), which "
          + "cannot be mixed to \(channelCount). Choose --channels 1 or 2.")
    }
  }

  private static func order(
    of format: PCMFormat, _ name: String
  ) throws(CommandFailure) -> [Int]? {
    if ChannelConfiguration(channelCount: format.channelCount) == nil {
      throw CommandFailure(
        .unsupported,
        "“\(displayed(name))” has \(format.channelCount) channels; AAC takes 1 to 6, or 8. "
          + "Mix them with --channels 2.")
    }
    guard let layout = format.layout else { return nil }
    guard let order = layout.standardOrder else {
      throw CommandFailure(
        .unsupported,
        "“\(displayed(name))” has \(format.channelCount) channels for loudspeakers that AAC does "
          + "not combine so. Mix them with --channels 2.")
    }
    return order == Array(0..<format.channelCount) ? nil : order
  }

  private static func resampler(
    from rate: Int, to newRate: Int, channelCount: Int, _ name: String
  ) throws(CommandFailure) -> Resampler? {
    if rate == newRate { return nil }
    do throws(PCMError) {
      return try Resampler(from: rate, to: newRate, channelCount: channelCount)
    } catch {
      throw CommandFailure(
        .unsupported,
        "“\(displayed(name))” has a sampling rate of \(rate) Hz, which cannot be converted to "
          + "\(newRate) Hz. Rates from \(Resampler.supportedRates.lowerBound) to "
          + "\(Resampler.supportedRates.upperBound) can.")
    }
  }
}

extension CommandFailure {
  /// Why the encoder does not take a setting.
  init(_ error: EncoderError, _ configuration: Encoder.Configuration, name: String) {
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
