extension AACEncoder {
  /// The values derived from a configuration, checked and computed once.
  struct Settings: Sendable {
    /// The core's sampling rate in AAC's terms.
    let frequency: SamplingFrequency
    /// The bands above the core's, if they are replicated.
    let replication: ReplicationSettings?
    /// The channels of the core, in AAC's order.
    let layout: ChannelConfiguration
    /// Those of the sound.
    let inputLayout: ChannelConfiguration
    /// Highest frequency to code, in hertz.
    var bandwidth: Int
    /// Scalefactor steps searched on each side of the closed form; 0 for the closed form alone.
    var reach: Int
    /// Noise level of a variable rate.
    var variableLevel: Float = 0
    /// How much more noise, relative to their threshold, quiet bands get than loud ones, as a power
    /// of their threshold per line.
    var levelExponent: Float = 0.27
    /// The lowest prediction gain at which TNS is worth its side information.
    var noiseShapingGain: Float = 1.4
    /// Whether noise may be substituted.
    var usesNoiseSubstitution: Bool
    /// Nominal bits per second per channel.
    var ratePerChannel: Float

    /// Nominal bits per second of a channel of the core, and the noise levels with which a mix of
    /// material reaches them.
    private static func variableRates(_ profile: Profile) -> [(rate: Float, level: Float)] {
      switch profile {
      case .lowComplexity:
        [(32_000, 4.1), (48_000, 2.8), (64_000, 1.6), (96_000, -1.0), (128_000, -3.0)]
      case .highEfficiency:
        [(16_000, 3.85), (20_000, 3.45), (24_000, 3.35), (32_000, 2.45), (40_000, 1.4)]
      case .highEfficiencyV2:
        [(20_000, 4.4), (24_000, 3.55), (28_000, 3.1), (32_000, 2.8), (40_000, 2.0)]
      }
    }

    init(_ configuration: Configuration) throws(EncoderError) {
      let isReplicated = configuration.profile != .lowComplexity
      if isReplicated,
        !AACEncoder.supportsReplication(sampleRate: configuration.sampleRate, channelCount: 1)
      {
        throw .unsupportedReplicationRate(configuration.sampleRate)
      }
      if !isReplicated, configuration.signaling != nil { throw .signalingWithoutReplication }
      let coreRate = configuration.sampleRate / (isReplicated ? 2 : 1)
      guard let frequency = SamplingFrequency(hertz: coreRate) else {
        throw .unsupportedSampleRate(configuration.sampleRate)
      }
      let isStereo = configuration.profile == .highEfficiencyV2
      guard let inputLayout = ChannelConfiguration(channelCount: configuration.channelCount),
        let layout = ChannelConfiguration(channelCount: isStereo ? 1 : inputLayout.channelCount)
      else { throw .unsupportedChannelCount(configuration.channelCount) }
      if isStereo && inputLayout.channelCount != 2 {
        throw .unsupportedStereoProfile(channelCount: configuration.channelCount)
      }
      self.frequency = frequency
      self.layout = layout
      self.inputLayout = inputLayout
      let channelCount = Float(layout.bufferedChannelCount)
      switch configuration.rateControl {
      case .constant(let bitsPerSecond), .average(let bitsPerSecond):
        let limits = AACEncoder.bitrateLimits(
          sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
          profile: configuration.profile)
        if let limits, !limits.contains(bitsPerSecond) {
          throw .bitrateOutOfRange(
            requested: bitsPerSecond, lowest: limits.lowerBound, highest: limits.upperBound)
        }
        ratePerChannel = Float(bitsPerSecond) / channelCount
      case .variable(let level):
        guard level >= 1 && level <= 5 else { throw .levelOutOfRange(level) }
        (ratePerChannel, variableLevel) = Self.variableRates(configuration.profile)[level - 1]
        // There are enough bits for loud and quiet alike, so quality comes out more even.
        levelExponent = 0.15
      }
      usesNoiseSubstitution = !configuration.isMPEG2
      // The same bitrate allows more bandwidth if there are fewer samples to code.
      bandwidth = Bandwidth.hertz(
        bitsPerSecondPerChannel: ratePerChannel, sampleRate: frequency.hertz)
      if let wanted = configuration.bandwidth, !isReplicated {
        guard wanted > 0 && wanted <= frequency.hertz / 2 else {
          throw .bandwidthOutOfRange(requested: wanted, highest: frequency.hertz / 2)
        }
        bandwidth = wanted
      }
      if isReplicated {
        replication = ReplicationSettings(
          rate: configuration.sampleRate, bitsPerSecond: ratePerChannel,
          isSingle: layout.channelCount == 1, isStereo: isStereo)
        guard let replication else { throw .unsupportedReplicationRate(configuration.sampleRate) }
        bandwidth = replication.crossover
      } else {
        replication = nil
      }
      switch configuration.effort {
      case .fast: reach = 0
      case .balanced: reach = 1
      case .best: reach = 3
      }
    }

    /// Whether so many bits per second of a channel are so few that intensity stereo may be used.
    func usesIntensity(at rate: Float) -> Bool {
      // The core of HE-AAC has half as many lines a second for the bits.
      rate <= (replication == nil ? 26_000 : 13_000)
    }
  }
}
