import AacornSignal
import Foundation
import Testing

@Suite struct EffectTests {
  /// Returns noise with a changing level, so that level-dependent effects are active.
  private func swell(_ count: Int) -> [Float] {
    noise(count).enumerated().map { index, value in
      value * Float(0.5 + 0.49 * sin(Double(index) / 9000))
    }
  }

  @Test(arguments: [1, 2, 3])
  func blocksOfAnyLengthGiveTheSameBits(channelCount: Int) {
    let samples = swell(30_000 * channelCount)
    for effect in everyEffect(channelCount: channelCount) {
      let whole = processed(effect, samples, channelCount: channelCount)
      #expect(whole != samples, "\(type(of: effect))")
      for blocks in [[1], [7, 1, 480, 3, 4096], [64]] {
        let cut = processed(effect, samples, channelCount: channelCount, blocks: blocks)
        #expect(cut == whole, "\(type(of: effect)) \(blocks)")
      }
    }
  }

  /// One and two channels use vectors; three do not.
  @Test(arguments: [2, 3])
  func channelsThatAreEqualSoundAsOneAlone(channelCount: Int) {
    let samples = swell(20_001)
    let frames = samples.flatMap { [Float](repeating: $0, count: channelCount) }
    let alone = everyEffect(channelCount: 1)
    for (single, effect) in zip(alone, everyEffect(channelCount: channelCount)) {
      // The loudness depends on the number of channels.
      if effect is LoudnessEffect { continue }
      let wanted = processed(single, samples)
      let result = processed(effect, frames, channelCount: channelCount, blocks: [1021])
      for channel in 0..<channelCount {
        let own = stride(from: channel, to: result.count, by: channelCount).map { result[$0] }
        #expect(own == wanted, "\(type(of: effect)) \(channel)")
      }
    }
  }

  @Test func invalidSamplesBecomeSilenceInEffects() {
    var (clean, broken) = (swell(40_000), swell(40_000))
    let wrong: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -3e30, 0x1p30]
    for (offset, value) in wrong.enumerated() {
      for index in [offset, 5000 + 3 * offset, 12_001 + offset] {
        broken[index] = value
        clean[index] = 0
      }
    }
    for effect in everyEffect(channelCount: 2) {
      let result = processed(effect, broken, channelCount: 2)
      #expect(result.allSatisfy { $0.isFinite }, "\(type(of: effect))")
      #expect(result == processed(effect, clean, channelCount: 2), "\(type(of: effect))")
    }
  }

  @Test func extremeSamplesStayFinite() {
    let samples = noise(20_000).map { $0 * 0x1p29 }
    for effect in everyEffect(channelCount: 2) {
      #expect(
        processed(effect, samples, channelCount: 2).allSatisfy { $0.isFinite },
        "\(type(of: effect))")
    }
  }

  @Test func effectsDecayToZeroInSilence() {
    for effect in everyEffect(channelCount: 1) {
      var effect = effect
      _ = pass(&effect, noise(4800))
      // The filters need time to decay.
      for _ in 0..<15 { _ = pass(&effect, [Float](repeating: 0, count: 48_000)) }
      let end = pass(&effect, [Float](repeating: 0, count: 4800))
      #expect(end.allSatisfy { $0 == 0 }, "\(type(of: effect))")
    }
  }

  @Test func resetRestoresInitialState() {
    let samples = swell(20_000)
    for effect in everyEffect(channelCount: 2) {
      var used = effect
      _ = pass(&used, samples, channelCount: 2)
      used.reset()
      let again = pass(&used, samples, channelCount: 2)
      #expect(again == processed(effect, samples, channelCount: 2), "\(type(of: effect))")
    }
  }

  @Test func effectLatencyIsExact() {
    for effect in everyEffect(channelCount: 1) {
      var samples = [Float](repeating: 0, count: 3000)
      samples[1000] = 0.25
      let result = processed(effect, samples)
      let first = result.firstIndex { $0 != 0 }
      #expect(first == 1000 + effect.latency, "\(type(of: effect))")
    }
  }

  // MARK: - Changes

  /// Expects no step above 0.03 for a soft and slow sine, for any change of the settings.
  private func checkSteps<Effect: AudioEffect>(
    _ effect: Effect, _ change: (inout Effect, Int) -> Void
  ) {
    var effect = effect
    let samples = sine(100, level: -6, count: 96_000)
    var result: [Float] = []
    for turn in 0..<20 {
      var block = Array(samples[turn * 4800..<(turn + 1) * 4800])
      var span = block.mutableSpan
      effect.process(&span)
      result += block
      change(&effect, turn)
    }
    #expect(maxStep(Array(result.dropFirst(4800))) < 0.03, "\(type(of: effect))")
  }

  @Test func parameterChangesAreContinuous() {
    checkSteps(GainEffect(decibels: 0, channelCount: 1, sampleRate: 48_000)) {
      $0.decibels = $1 % 2 == 0 ? -60 : 6
    }
    checkSteps(HighPassEffect(channelCount: 1, sampleRate: 48_000)) {
      $0.settings = .init(frequency: $1 % 2 == 0 ? 400 : 20, slope: .twentyFour)
    }
    let equalizer = EqualizerEffect(
      [.init(.lowShelf, frequency: 300)], channelCount: 1, sampleRate: 48_000)
    checkSteps(equalizer) { $0.bands[0].decibels = $1 % 2 == 0 ? -12 : 6 }
    checkSteps(CompressorEffect(channelCount: 1, sampleRate: 48_000)) {
      $0.settings.threshold = $1 % 2 == 0 ? -40 : 0
      $0.settings.makeUp = $1 % 3 == 0 ? 6 : 0
    }
    checkSteps(ExpanderEffect(channelCount: 1, sampleRate: 48_000)) {
      $0.settings.threshold = $1 % 2 == 0 ? 0 : -40
    }
    checkSteps(GateEffect(.init(threshold: -12), channelCount: 1, sampleRate: 48_000)) {
      $0.settings.threshold = $1 % 2 == 0 ? 0 : -40
    }
    let deEsser = DeEsserEffect(.init(frequency: 100), channelCount: 1, sampleRate: 48_000)
    checkSteps(deEsser) { $0.settings.threshold = $1 % 2 == 0 ? 0 : -60 }
    checkSteps(LoudnessEffect(channelCount: 1, sampleRate: 48_000)) {
      $0.settings.target = $1 % 2 == 0 ? -40 : -10
    }
    checkSteps(LimiterEffect(channelCount: 1, sampleRate: 48_000)) {
      $0.settings.ceiling = $1 % 2 == 0 ? -20 : -1
    }
  }

  @Test func aChangeIsCompleteAfterTenMilliseconds() {
    var gain = GainEffect(decibels: 0, channelCount: 1, sampleRate: 48_000)
    gain.decibels = -20
    let result = processed(gain, [Float](repeating: 1, count: 600))
    #expect(result[0] < 1 && result[0] > 0.99)
    #expect(abs(result[239] - 0.55) < 1e-4, "half of the way in half of the time")
    #expect(result[478] > 0.1 && result[479] == result[599])
    #expect(abs(result[479] - 0.1) < 1e-6)
  }

  @Test func settingsOutsideTheirRangeAreTheNearest() {
    let samples = noise(5000)
    let most = GainEffect(decibels: 60, channelCount: 1, sampleRate: 48_000)
    let more = GainEffect(decibels: 1e9, channelCount: 1, sampleRate: 48_000)
    #expect(processed(more, samples) == processed(most, samples))
    let least = CompressorEffect(.init(ratio: 1), channelCount: 1, sampleRate: 48_000)
    let none = CompressorEffect(.init(ratio: .nan), channelCount: 1, sampleRate: 48_000)
    #expect(processed(none, samples) == processed(least, samples))
  }

  // MARK: - Bypass

  /// Returns the output of an effect with a bypass switch, which is toggled before the frames in
  /// `turns`.
  private func bypassed(_ effect: any AudioEffect, _ samples: [Float], turns: [Int]) -> [Float] {
    var effect = effect
    var bypass = BypassSwitch(latency: effect.latency, channelCount: 1, sampleRate: 48_000)
    var result: [Float] = []
    for start in stride(from: 0, to: samples.count, by: 160) {
      if turns.contains(start) { bypass.isBypassed.toggle() }
      var block = Array(samples[start..<min(start + 160, samples.count)])
      bypass.store(block.span)
      var span = block.mutableSpan
      effect.process(&span)
      bypass.blend(into: &span)
      result += block
    }
    return result
  }

  @Test func bypassedAudioIsBitExactWithEqualLatency() {
    let samples = swell(16_000)
    for effect in everyEffect(channelCount: 1) {
      let result = bypassed(effect, samples, turns: [0])
      let latency = effect.latency
      #expect(
        result[(480 + latency)...].elementsEqual(samples[480..<samples.count - latency]),
        "\(type(of: effect))")
      let used = bypassed(effect, samples, turns: [])
      #expect(used == processed(effect, samples), "\(type(of: effect))")
      let again = bypassed(effect, samples, turns: [1600, 6400])
      #expect(again[..<1600].elementsEqual(used[..<1600]), "\(type(of: effect))")
      #expect(again[6880...].elementsEqual(used[6880...]), "\(type(of: effect))")
    }
  }

  @Test func bypassMakesNoStep() {
    let gain = GainEffect(decibels: -60, channelCount: 1, sampleRate: 48_000)
    let result = bypassed(gain, sine(100, level: -6, count: 16_000), turns: [1600, 6400])
    #expect(maxStep(result) < 0.01)
  }
}
