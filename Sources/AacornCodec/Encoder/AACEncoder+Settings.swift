extension AACEncoder {
  /// The values derived from a configuration, checked and computed once.
  struct Settings: Sendable {
    /// The core's sampling rate, as AAC's index.
    let frequency: SamplingFrequency
    /// The settings of band replication; nil in AAC-LC.
    let replication: SBRSettings?
    /// The core's channels, in AAC's order.
    let layout: ChannelConfiguration
    /// The input's channels, which differ from the core's with parametric stereo.
    let inputLayout: ChannelConfiguration
    /// The highest frequency to code, in hertz.
    var bandwidth: Int
    /// Scalefactor steps tried on each side of the computed scalefactor; 0 for no search.
    var searchReach: Int
    /// The noise level of a variable rate: thresholds are scaled by 2 to this power.
    var variableLevel: Float = 0
    /// The exponent of the extra noise that quiet bands get in frames without enough bits.
    ///
    /// The threshold of each band is divided by this power of its threshold per line.
    var levelExponent: Float = 0.27
    /// The lowest prediction gain at which TNS is worth its side information.
    var noiseShapingGain: Float = 1.4
    var usesNoiseSubstitution: Bool
    /// Nominal bits per second per channel.
    var ratePerChannel: Float

    /// Returns the bits per second per core channel and the noise level of each quality level.
    ///
    /// A mix of material needs about that rate at that noise level.
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
        // There are enough bits for loud and quiet bands alike, so the quality becomes more even.
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
        replication = SBRSettings(
          rate: configuration.sampleRate, bitsPerSecond: ratePerChannel,
          isSingle: layout.channelCount == 1, isStereo: isStereo)
        guard let replication else { throw .unsupportedReplicationRate(configuration.sampleRate) }
        bandwidth = replication.crossover
      } else {
        replication = nil
      }
      switch configuration.effort {
      case .fast: searchReach = 0
      case .balanced: searchReach = 1
      case .best: searchReach = 3
      }
    }

    /// Returns whether a rate in bits per second per channel is low enough for audible errors of
    /// intensity stereo.
    func usesCoarseIntensity(at rate: Float) -> Bool {
      // The core of HE-AAC has half the number of lines per second.
      rate <= (replication == nil ? 26_000 : 13_000)
    }
  }
}
