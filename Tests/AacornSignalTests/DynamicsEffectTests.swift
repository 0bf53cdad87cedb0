import AacornSignal
import Foundation
import Testing

@Suite struct DynamicsEffectTests {
  @Test(arguments: [(2.0, -20.0, 0.0), (4, -30, 12), (100, -10, 6), (1, -20, 6)])
  func theStaticCurveIsThatOfTheFormula(ratio: Double, threshold: Double, knee: Double) {
    let settings = CompressorEffect.Settings(
      ratio: ratio, threshold: threshold, knee: knee, makeUp: 3)
    for level in stride(from: -50.0, through: 0, by: 2.5) {
      let effect = CompressorEffect(settings, channelCount: 1, sampleRate: 48_000)
      let result = processed(effect, sine(1000, level: level))
      let over = level - threshold
      var wanted = level + 3
      if over >= knee / 2 {
        wanted -= (1 - 1 / ratio) * over
      } else if over > -knee / 2 {
        wanted -= (1 - 1 / ratio) * (over + knee / 2) * (over + knee / 2) / (2 * knee)
      }
      let found = sineLevel(result.suffix(4800))
      #expect(abs(found - wanted) < 0.1, "\(level): \(found) \(wanted)")
    }
  }

  @Test(arguments: [(1.0, 50.0), (5, 100), (20, 400)])
  func attackAndReleaseAreTimeConstants(attack: Double, release: Double) {
    let settings = CompressorEffect.Settings(
      ratio: 4, threshold: -20, knee: 0, attack: attack, release: release)
    let effect = CompressorEffect(settings, channelCount: 1, sampleRate: 48_000)
    let soft: Float = 0.001
    let samples =
      [Float](repeating: soft, count: 4800) + [Float](repeating: 1, count: 48_000)
      + [Float](repeating: soft, count: 100_000)
    let result = processed(effect, samples)
    #expect(result[..<4800].elementsEqual(samples[..<4800]), "Below the threshold nothing happens.")
    for part in [0.25, 0.5, 1, 2, 5] {
      let rising = Int(part * attack * 48)
      let time = Double(rising) / 48
      let reduction = -20 * log10(Double(result[4800 + rising - 1]))
      #expect(abs(reduction - 15 * (1 - exp(-time / attack))) < 0.1, "\(part)")

      let falling = Int(part * release * 48)
      let later = Double(falling) / 48
      let rest = -20 * log10(Double(result[52_800 + falling - 1] / soft))
      let slow = release * exp(-later / release) - attack * exp(-later / attack)
      #expect(abs(rest - 15 * slow / (release - attack)) < 0.1, "\(part)")
    }
  }

  @Test func channelsAreCompressedAlike() {
    let effect = CompressorEffect(.init(threshold: -40), channelCount: 2, sampleRate: 48_000)
    var frames: [Float] = []
    for sample in sine(440, level: -3, count: 9600) { frames += [sample, 0.001] }
    let result = processed(effect, frames, channelCount: 2)
    let single = CompressorEffect(.init(threshold: -40), channelCount: 1, sampleRate: 48_000)
    let alone = processed(single, sine(440, level: -3, count: 9600))
    for frame in 0..<9600 {
      #expect(result[2 * frame] == alone[frame])
      if frames[2 * frame].magnitude > 0.1 {
        let gains = (result[2 * frame] / frames[2 * frame], result[2 * frame + 1] / 0.001)
        #expect(abs(gains.0 / gains.1 - 1) < 1e-5)
      }
    }
  }

  @Test func aGateHoldsAndThenCloses() {
    let settings = GateEffect.Settings(threshold: -40, depth: 40, hold: 100, release: 50)
    let gate = GateEffect(settings, channelCount: 1, sampleRate: 48_000)
    let samples = [Float](repeating: 0.1, count: 9600) + [Float](repeating: 0.001, count: 24_000)
    let gains = zip(processed(gate, samples), samples).map { $0 / $1 }
    #expect(gains[9599..<14_400].allSatisfy { $0 == 1 }, "It holds for 4800 frames.")
    #expect(gains[14_400] < 1)
    // The floor is 0.01, and a factor of e⁻¹ of the difference remains after the release time.
    #expect(abs(Double(gains[14_400 + 2399]) - (0.01 + 0.99 * exp(-1))) < 1e-3)
    #expect(abs(gains[33_599] - 0.01) < 1e-3)
  }

  /// Applies the gate frame by frame, as documented for its settings.
  private func gated(_ samples: [Float], _ settings: GateEffect.Settings) -> [Float] {
    let floor = pow(10, -settings.depth / 20)
    let opening = pow(10, settings.threshold / 20)
    let closing = pow(10, (settings.threshold - settings.hysteresis) / 20)
    let holdLength = Int((settings.hold * 48).rounded())
    var (isOpen, rest, gain) = (false, 0, floor)
    return samples.map { sample in
      if Double(sample.magnitude) >= (isOpen ? closing : opening) {
        (isOpen, rest) = (true, holdLength)
      } else if rest > 0 {
        rest -= 1
      } else {
        isOpen = false
      }
      let target = isOpen ? 1 : floor
      let time = target > gain ? settings.attack : settings.release
      gain = target + (gain - target) * exp(-1 / (48 * time))
      return sample * Float(gain)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 12])
  func gateMatchesReferenceModel(holdLength: Int) {
    let settings = GateEffect.Settings(
      threshold: -6, depth: 20, hysteresis: 6, attack: 0.1, hold: Double(holdLength) / 48,
      release: 0.5)
    // Short runs that are loud, between the thresholds or soft, and a few long ones.
    let (lengths, levels) = (noise(4000, seed: 5), noise(4000, seed: 9))
    var samples: [Float] = []
    for (length, level) in zip(lengths, levels) {
      let count = length > 0.97 ? 900 : 1 + Int(length.magnitude * 6)
      samples += [Float](repeating: level, count: count)
    }
    let effect = GateEffect(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed(effect, samples)
    for (found, wanted) in zip(result, gated(samples, settings)) {
      #expect(abs(found - wanted) < 1e-5)
    }
  }

  @Test func expanderAttenuatesQuietAudio() {
    let settings = ExpanderEffect.Settings(ratio: 2, threshold: -30, depth: 15)
    for (level, wanted) in [(-10.0, -10.0), (-30, -30), (-36, -42), (-40, -50), (-60, -75)] {
      let effect = ExpanderEffect(settings, channelCount: 1, sampleRate: 48_000)
      let found = sineLevel(processed(effect, sine(1000, level: level, phase: 0.1)).suffix(4800))
      #expect(abs(found - wanted) < 0.1, "\(level): \(found)")
    }
  }

  @Test func deEsserAttenuatesOnlyItsBand() {
    let settings = DeEsserEffect.Settings(frequency: 6000, threshold: -30, ratio: 4, depth: 40)
    let effect = DeEsserEffect(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed(effect, sine(6000, level: -10))
    #expect(abs(sineLevel(result.suffix(4800)) + 25) < 0.15)
    let low = sine(300, level: -10)
    #expect(processed(effect, low) == low)
    let bounded = DeEsserEffect(
      .init(frequency: 6000, threshold: -30, ratio: 4, depth: 6), channelCount: 1,
      sampleRate: 48_000)
    #expect(abs(sineLevel(processed(bounded, sine(6000, level: -10)).suffix(4800)) + 16) < 0.1)
  }

  @Test func gainScalesByItsDecibels() {
    let effect = GainEffect(decibels: -12.5, channelCount: 1, sampleRate: 48_000)
    #expect(abs(sineLevel(processed(effect, sine(1000))) + 12.5) < 0.001)
    let none = GainEffect(decibels: 0, channelCount: 1, sampleRate: 48_000)
    #expect(processed(none, noise(1000)) == noise(1000))
  }
}
