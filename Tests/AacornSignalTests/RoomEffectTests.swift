import AacornSignal
import Foundation
import Testing

/// Effects with a memory of the signal or of its loudness.
@Suite struct RoomEffectTests {
  @Test func echoesComeAtTheirTimeAndFade() {
    let settings = DelayEffect.Settings(time: 12.5, feedback: 0.5, mix: 0.25)
    let effect = DelayEffect(settings, channelCount: 2, sampleRate: 48_000)
    var samples = [Float](repeating: 0, count: 2 * 3000)
    samples[0] = 0.5
    samples[3] = -1
    let result = processed(effect, samples, channelCount: 2)
    var wanted = [Float](repeating: 0, count: 2 * 3000)
    (wanted[0], wanted[3]) = (0.375, -0.75)
    var part: Float = 0.25
    for echo in 1..<5 {
      (wanted[2 * 600 * echo], wanted[2 * 600 * echo + 3]) = (0.5 * part, -part)
      part /= 2
    }
    #expect(result == wanted)
  }

  @Test func maximumEchoFitsAndZeroEchoPassesThrough() {
    let settings = DelayEffect.Settings(time: 2000, feedback: 0, mix: 1)
    let longest = DelayEffect(settings, channelCount: 1, sampleRate: 8000)
    let samples = noise(20_000)
    let result = processed(longest, samples)
    #expect(result[..<16_000].allSatisfy { $0 == 0 })
    #expect(result[16_000...].elementsEqual(samples[..<4000]))
    let none = DelayEffect(.init(time: 0, feedback: 0.9, mix: 1), channelCount: 1, sampleRate: 8000)
    #expect(processed(none, samples) == samples)
  }

  @Test(arguments: [500.0, 1500, 4000])
  func reverbFallsBySixtyDecibelsInDecayTime(decay: Double) {
    let effect = ReverbEffect(
      .init(decay: decay, damping: 0, mix: 1), channelCount: 2, sampleRate: 48_000)
    var samples = [Float](repeating: 0, count: 2 * Int(decay * 48))
    (samples[0], samples[1]) = (1, 1)
    let result = processed(effect, samples, channelCount: 2)
    // The remaining energy, computed backward from the end.
    var energies = [Double](repeating: 0, count: samples.count / 2 + 1)
    for frame in (0..<samples.count / 2).reversed() {
      let (left, right) = (Double(result[2 * frame]), Double(result[2 * frame + 1]))
      energies[frame] = energies[frame + 1] + left * left + right * right
    }
    let early = energies.firstIndex { $0 < energies[0] * pow(10, -0.5) } ?? 0
    let late = energies.firstIndex { $0 < energies[0] * pow(10, -3.5) } ?? 0
    let time = Double(late - early) / 48 * 2
    #expect(abs(time / decay - 1) < 0.1, "\(time)")
  }

  @Test func dampingReducesTrebleAndDryMixIsUnchanged() {
    func bright(_ damping: Double) -> Double {
      let effect = ReverbEffect(
        .init(decay: 1500, damping: damping, mix: 1), channelCount: 1, sampleRate: 48_000)
      var impulse = [Float](repeating: 0, count: 48_000)
      impulse[0] = 1
      let tail = Array(processed(effect, impulse).dropFirst(12_000))
      let step = zip(tail, tail.dropFirst()).map { $1 - $0 }
      return sineLevel(step) - sineLevel(tail)
    }
    #expect(bright(0.8) < bright(0) - 6)
    let dry = ReverbEffect(.init(mix: 0), channelCount: 1, sampleRate: 48_000)
    #expect(processed(dry, noise(3000)) == noise(3000))
  }

  @Test func reverbChannelsDiffer() {
    let effect = ReverbEffect(.init(mix: 1), channelCount: 2, sampleRate: 48_000)
    var samples = [Float](repeating: 0, count: 20_000)
    (samples[0], samples[1]) = (1, 1)
    let result = processed(effect, samples, channelCount: 2)
    let difference = stride(from: 0, to: result.count, by: 2).map { result[$0] - result[$0 + 1] }
    #expect(sineLevel(difference) > sineLevel(result) - 6)
  }

  // MARK: - Loudness

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
