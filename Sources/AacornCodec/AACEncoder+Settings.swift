extension AACEncoder {
  /// What a configuration comes to, checked and worked out once.
  struct Settings: Sendable {
    /// The sampling rate, as the stream tells it.
    let frequency: SamplingFrequency
    /// The channels, as the stream orders them.
    let layout: ChannelConfiguration
    /// Highest frequency to code, in hertz.
    var bandwidth: Int
    /// Scalefactor steps searched on each side of the closed form; 0 for the closed form alone.
    var reach: Int
    /// Noise level of a variable rate.
    var variableLevel: Float = 0
    /// How much less noise quiet bands get than loud ones, as a power of their threshold a line.
    var levelExponent: Float = 0.27
    /// Least prediction gain at which TNS is worth its side information.
    var noiseShapingGain: Float = 1.4
    /// Whether noise may be substituted.
    var usesNoiseSubstitution: Bool
    /// Whether the rate is so low that intensity stereo may be used.
    var usesIntensity: Bool
    /// Bits a second and channel, nominal.
    var ratePerChannel: Float

    init(_ configuration: Configuration) throws(EncoderError) {
      guard let frequency = SamplingFrequency(hertz: configuration.sampleRate) else {
        throw .unsupportedSampleRate(configuration.sampleRate)
      }
      guard let layout = ChannelConfiguration(channelCount: configuration.channelCount) else {
        throw .unsupportedChannelCount(configuration.channelCount)
      }
      self.frequency = frequency
      self.layout = layout
      let channelCount = Float(layout.bufferedChannelCount)
      switch configuration.rateControl {
      case .constant(let bitsPerSecond), .average(let bitsPerSecond):
        let limits = AACEncoder.bitrateLimits(
          sampleRate: frequency.hertz, channelCount: layout.channelCount)
        if let limits, !limits.contains(bitsPerSecond) {
          throw .bitrateOutOfRange(
            requested: bitsPerSecond, lowest: limits.lowerBound, highest: limits.upperBound)
        }
        ratePerChannel = Float(bitsPerSecond) / channelCount
      case .variable(let level):
        guard level >= 1 && level <= 5 else { throw .levelOutOfRange(level) }
        let rates: [Float] = [32_000, 48_000, 64_000, 96_000, 128_000]
        // Chosen so that a mixture of sounds comes to the nominal rates.
        let levels: [Float] = [4.1, 2.8, 1.6, -1.0, -3.0]
        ratePerChannel = rates[level - 1]
        variableLevel = levels[level - 1]
        // Bits are there for loud and quiet alike, so that quality comes out more even.
        levelExponent = 0.15
      }
      usesNoiseSubstitution = !configuration.isMPEG2
      usesIntensity = ratePerChannel <= 26_000
      // A rate of bits buys more bandwidth where there are fewer samples to code.
      bandwidth = Bandwidth.hertz(
        bitsPerSecondPerChannel: ratePerChannel, sampleRate: frequency.hertz)
      if let wanted = configuration.bandwidth {
        guard wanted > 0 && wanted <= frequency.hertz / 2 else {
          throw .bandwidthOutOfRange(requested: wanted, highest: frequency.hertz / 2)
        }
        bandwidth = wanted
      }
      switch configuration.effort {
      case .fast: reach = 0
      case .balanced: reach = 1
      case .best: reach = 3
      }
    }
  }
}
