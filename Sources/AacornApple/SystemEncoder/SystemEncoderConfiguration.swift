public import AacornCodec

/// The configuration of an encoder of the operating system.
public struct SystemEncoderConfiguration: Equatable, Sendable {
  /// The AAC profile, which decides which decoders can play the stream.
  public enum Profile: Equatable, Sendable, CaseIterable {
    /// AAC-LC.
    case lowComplexity
    /// HE-AAC.
    case highEfficiency
    /// HE-AAC v2, for stereo.
    case highEfficiencyV2
    /// AAC-LD, for two-way communication.
    case lowDelay
    /// AAC-ELD, for two-way communication at lower bitrates.
    case enhancedLowDelay
  }

  /// The encoder's effort for quality at a given bitrate.
  public enum Quality: Equatable, Sendable, CaseIterable {
    /// The lowest effort.
    case lowest
    /// A low effort.
    case low
    /// The system's default effort.
    case medium
    /// A high effort.
    case high
    /// The highest effort.
    case highest
  }

  /// Samples per second.
  public var sampleRate: Int
  /// Channels: 1 or 2.
  public var channelCount: Int
  /// The AAC profile.
  public var profile: Profile
  /// The rate control mode; the nearest supported bitrate is used.
  public var rateControl: AACEncoder.RateControl
  /// The encoder's effort for quality at a given bitrate.
  public var quality: Quality
  /// The processor that the encoder runs on.
  public var processing: AACBackEnd.Processing
  /// The signaling of HE-AAC in the decoder's configuration; nil for the system's default.
  public var signaling: AudioSpecificConfig.Signaling?

  /// Creates a configuration.
  ///
  /// `validate` and the encoder's initializer check it.
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

  /// Creates the nearest equivalent of a configuration of this package's encoder.
  ///
  /// The bandwidth and the coding tools have no equivalent and are ignored.
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

  /// Throws an error for settings that are invalid on every system.
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
      // No system offers higher bitrates.
      guard bitsPerSecond > 0, bitsPerSecond <= 1_000_000 else {
        throw .bitrateOutOfRange(requested: bitsPerSecond, lowest: 1, highest: 1_000_000)
      }
    case .variable(let level):
      guard level >= 1, level <= 5 else { throw .levelOutOfRange(level) }
    }
  }

  /// Whether the profile uses spectral band replication.
  var isReplicated: Bool { profile == .highEfficiency || profile == .highEfficiencyV2 }
}

extension AACBackEnd {
  /// Whether the operating system includes an AAC encoder.
  public static var hasSystemEncoder: Bool {
    #if canImport(AudioToolbox) && !os(watchOS)
    return true
    #else
    return false
    #endif
  }

  /// Throws the reason why this back end cannot encode with a configuration.
  ///
  /// Checks only what is known without creating an encoder. The package's own encoder validates its
  /// configuration itself, so this method never throws for it.
  public func validate(_ configuration: AACEncoder.Configuration) throws(AACBackEndError) {
    guard case .system(let processing) = self else { return }
    guard Self.hasSystemEncoder else { throw .noSystemEncoder }
    try SystemEncoderConfiguration(configuration, processing).validate()
  }
}
