/// Applies a constant gain, and limits true peaks to a ceiling if there is one.
struct LoudnessGain {
  private let factor: Float
  /// The limiter; nil without a ceiling.
  private var limiter: EffectChain?

  /// Creates a gain in decibels with a ceiling in dBTP.
  init(
    decibels: Double, ceiling: Double?, channelCount: Int, sampleRate: Int
  ) throws(AACFileError) {
    factor = Gain.factor(decibels: decibels)
    if let ceiling {
      limiter = try EffectChain.ofFile(
        [EffectDescription(.limiter).with(ceiling, at: 0)], channelCount: channelCount,
        sampleRate: sampleRate)
    }
  }

  /// Replaces input frames by output frames; a limiter delays some.
  mutating func process(_ samples: inout [Float]) {
    for index in samples.indices { samples[index] *= factor }
    limiter?.process(&samples)
  }

  /// Appends the delayed frames.
  mutating func finish(into samples: inout [Float]) { limiter?.finish(into: &samples) }
}
