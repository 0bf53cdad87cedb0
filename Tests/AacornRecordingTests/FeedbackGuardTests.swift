import AacornDevices
import AacornSignal
import Testing

@Suite("Damping feedback") struct FeedbackGuardTests {
  private func sine(_ frequency: Double, from first: Int, count: Int, _ level: Float) -> [Float] {
    (first..<first + count).map { frame in
      let turn = 2 * frequency * Double(frame) / 48_000
      return level * Float(ElementaryFunctions.sinCosPi(turn).sin)
    }
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
    var changes = 0
    for _ in 0..<2000 {
      var samples: [Float] = []
      _ = voice.read(into: &samples, frameCount: 240)
      var heard = samples
      if guarding.process(&heard) || heard != samples { changes += 1 }
    }
    #expect(changes == 0)
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
        let resonance = returned * 0.0098 + 1.9 * filter.0 - 0.96 * filter.1
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
