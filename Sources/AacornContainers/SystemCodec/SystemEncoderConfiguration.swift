public import AacornCodec

/// What an encoder that comes with the system is asked for.
public struct SystemEncoderConfiguration: Equatable, Sendable {
  /// What decoders need.
  public enum Profile: Equatable, Sendable, CaseIterable {
    /// AAC-LC.
    case lowComplexity
    /// HE-AAC.
    case highEfficiency
    /// HE-AAC v2, for stereo.
    case highEfficiencyV2
    /// AAC-LD, for talks in both directions.
    case lowDelay
    /// AAC-ELD, the same at lower bitrates.
    case enhancedLowDelay
  }

  /// How much work goes into better sound quality at the same rate.
  public enum Quality: Equatable, Sendable, CaseIterable {
    /// As little as possible.
    case lowest
    /// Little.
    case low
    /// What the system is made for.
    case medium
    /// Much.
    case high
    /// As much as possible.
    case highest
  }

  /// Samples per second.
  public var sampleRate: Int
  /// Channels: 1 or 2.
  public var channelCount: Int
  /// What decoders need.
  public var profile: Profile
  /// How bits are spent over time; of the bitrates that the system has, the nearest is taken.
  public var rateControl: AACEncoder.RateControl
  /// How much work goes into better sound quality at the same rate.
  public var quality: Quality
  /// What it runs on.
  public var processing: AACBackEnd.Processing
  /// How the decoder's configuration tells of HE-AAC; nil for what the system does.
  public var signaling: AudioSpecificConfig.Signaling?

  /// A configuration; it is checked by `validate` and when an encoder is created.
  public init(
    sampleRate: Int, channelCount: Int, profile: Profile = .lowComplexity,
    rateControl: AACEncoder.RateControl, quality: Quality = .medium,
    processing: AACBackEnd.Processing = .any
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.profile = profile
    self.rateControl = rateControl
    self.quality = quality
    self.processing = processing
  }

  /// What comes nearest to a configuration of this package's encoder.
  ///
  /// A bandwidth and a choice of tools have no counterpart.
  public init(_ configuration: AACEncoder.Configuration, _ processing: AACBackEnd.Processing) {
    self.init(
      sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
      rateControl: configuration.rateControl, processing: processing)
    switch configuration.profile {
    case .lowComplexity: profile = .lowComplexity
    case .highEfficiency: profile = .highEfficiency
    case .highEfficiencyV2: profile = .highEfficiencyV2
    }
    switch configuration.effort {
    case .fast: quality = .low
    case .balanced: quality = .medium
    case .best: quality = .highest
    }
    signaling = configuration.signaling
  }

  /// Throws what can be said without the system.
  public func validate() throws(AACBackEndError) {
    let least = profile == .highEfficiencyV2 ? 2 : 1
    guard channelCount >= least, channelCount <= 2 else {
      throw .unsupportedChannelCount(channelCount)
    }
    let highest = profile == .lowComplexity ? 96_000 : 48_000
    guard SamplingFrequency(hertz: sampleRate) != nil, sampleRate >= 8_000, sampleRate <= highest
    else { throw .unsupportedSampleRate(sampleRate) }
    if isReplicated, sampleRate < 16_000 { throw .unsupportedSampleRate(sampleRate) }
    switch rateControl {
    case .constant(let bitsPerSecond), .average(let bitsPerSecond):
      // No list of the system's has others; a range of numbers must hold it.
      guard bitsPerSecond > 0, bitsPerSecond <= 1_000_000 else {
        throw .bitrateOutOfRange(requested: bitsPerSecond, lowest: 1, highest: 1_000_000)
      }
    case .variable(let level):
      guard level >= 1, level <= 5 else { throw .levelOutOfRange(level) }
    }
  }

  /// Whether the upper half of the spectrum is made of the lower one.
  var isReplicated: Bool { profile == .highEfficiency || profile == .highEfficiencyV2 }
}
