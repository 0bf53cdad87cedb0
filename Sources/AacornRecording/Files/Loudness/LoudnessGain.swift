/// Makes sound louder or softer as a whole, and keeps its true peaks below a ceiling where there is
/// one.
struct LoudnessGain {
  private let factor: Float
  /// Nil if the peaks may be what they are.
  private var limiter: EffectChain?

  /// A gain in decibels, and a ceiling in dBTP.
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

  /// Puts what comes out in the place of whole frames that go in; a limiter holds some back.
  mutating func process(_ samples: inout [Float]) {
    for index in samples.indices { samples[index] *= factor }
    limiter?.process(&samples)
  }

  /// Appends what is held back.
  mutating func finish(into samples: inout [Float]) { limiter?.finish(into: &samples) }
}
