import AacornSignal
import Testing

@Suite struct LoudnessEffectTests {
  private func loudness(_ samples: some Collection<Float>) -> Double {
    var meter = LoudnessMeter(channelCount: 1, sampleRate: 48_000)
    let samples = Array(samples)
    meter.process(samples.span)
    return Double(meter.integrated ?? -.infinity)
  }

  @Test func loudnessReachesItsTarget() {
    let samples = noise(48_000 * 20).map { $0 * 0.02 }
    let before = loudness(samples)
    for (target, wanted) in [(-25.0, -25.0), (before + 30, before + 12), (before - 4, before - 4)] {
      let settings = LoudnessEffect.Settings(target: target, depth: 12, speed: 3, gate: -60)
      let effect = LoudnessEffect(settings, channelCount: 1, sampleRate: 48_000)
      let after = loudness(processed(effect, samples).suffix(48_000 * 5))
      #expect(abs(after - max(before - 12, min(wanted, before + 12))) < 0.3, "\(target): \(after)")
    }
  }

  @Test func gainSpeedIsLimitedAndZeroInPauses() {
    let settings = LoudnessEffect.Settings(target: -10, depth: 20, speed: 2, gate: -50)
    var effect = LoudnessEffect(settings, channelCount: 1, sampleRate: 48_000)
    func pass(_ samples: [Float]) {
      var samples = samples
      var span = samples.mutableSpan
      effect.process(&span)
    }
    pass([Float](repeating: 0, count: 48_000))
    #expect(effect.decibels == 0)
    pass(noise(48_000 * 3).map { $0 * 0.02 })
    #expect(abs(effect.decibels - 6) < 0.01, "\(effect.decibels)")
  }
}
