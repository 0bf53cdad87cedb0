import AacornDevices
import Testing

@testable import AacornRecording

@Suite("Damping feedback") struct FeedbackGuardTests {
  private func sine(_ frequency: Double, from first: Int, count: Int, _ level: Float) -> [Float] {
    (first..<first + count).map { frame in
      level * Float(sinOf(2 * .pi * frequency * Double(frame) / 48_000))
    }
  }

  /// The sine of an angle, by the series.
  private func sinOf(_ angle: Double) -> Double {
    let x = angle.remainder(dividingBy: 2 * .pi)
    var (term, sum) = (x, x)
    for n in stride(from: 1.0, to: 30, by: 1) {
      term *= -x * x / (2 * n * (2 * n + 1))
      sum += term
    }
    return sum
  }

  @Test func aLoudToneIsDamped() {
    var guarding = FeedbackGuard(sampleRate: 48_000, channelCount: 1)
    var reports = 0
    for block in 0..<100 {
      var samples = sine(1730, from: 240 * block, count: 240, 0.7)
      if guarding.process(&samples) { reports += 1 }
    }
    #expect(reports >= 1)
    #expect(guarding.damping < 0.3)
  }

  @Test func voicesPassUnchanged() {
    var voice = SpeechSignal(sampleRate: 48_000, channelCount: 1)
    var guarding = FeedbackGuard(sampleRate: 48_000, channelCount: 1)
    for _ in 0..<2000 {
      var samples: [Float] = []
      _ = voice.read(into: &samples, frameCount: 240)
      var heard = samples
      let isReported = guarding.process(&heard)
      #expect(!isReported && heard == samples)
    }
  }

  /// Loudspeaker to microphone and back, louder by a quarter each time.
  @Test(arguments: [true, false]) func aLoopHowlsOnlyWithoutIt(isGuarded: Bool) {
    var guarding = FeedbackGuard(sampleRate: 48_000, channelCount: 1)
    var air = [Float](repeating: 0, count: 960)
    var dice = Dice(state: 1)
    var loudest: Float = 0
    var filter: (Float, Float) = (0, 0)
    for block in 0..<2000 {
      var samples: [Float] = []
      for _ in 0..<240 {
        let noise = Float.random(in: -0.003...0.003, using: &dice)
        let returned = air.removeFirst()
        // A room prefers a tone.
        let resonance = returned * 0.06 + 1.9 * filter.0 - 0.96 * filter.1
        filter = (resonance, filter.0)
        samples.append(min(max(noise + 1.25 * resonance, -1), 1))
      }
      if isGuarded { _ = guarding.process(&samples) }
      air += samples
      if block > 1000 { loudest = max(loudest, samples.map(abs).max() ?? 0) }
    }
    if isGuarded { #expect(loudest < 0.5) } else { #expect(loudest > 0.9) }
  }
}
