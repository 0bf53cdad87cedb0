import Testing

@testable import AacornRecording

@Suite struct LimitedGainSearchTests {
  /// The gain that a search selects, and its number of trials.
  ///
  /// `loudness` maps a gain to the resulting loudness.
  private func found(
    target: Double, gain: Double, maxGain: Double, _ loudness: (Double) -> Double
  ) -> (gain: Double?, trialCount: Int) {
    var search = LimitedGainSearch(target: target, gain: gain, maxGain: maxGain)
    var result: (gain: Double?, trialCount: Int) = (nil, 0)
    while let trial = search.gain {
      #expect(trial <= maxGain)
      result.trialCount += 1
      if search.record(loudness(trial)) { result.gain = trial }
    }
    return result
  }

  @Test func gainWithinToleranceIsTriedOnce() {
    for miss in [-0.09, 0, 0.09] {
      let result = found(target: -16, gain: 10, maxGain: 13) { $0 - 26 - miss }
      #expect(result.gain == 10 && result.trialCount == 1)
    }
  }

  /// Above 9 dB of gain, the limiter removes a part of every decibel.
  @Test(arguments: [1, 0.8, 0.6, 0.45])
  func searchCompensatesLimiterLoss(slope: Double) throws {
    let loudness = { (gain: Double) in -26.5 + min(gain, 9) + max(0, gain - 9) * slope }
    let result = found(target: -16, gain: 10, maxGain: 20, loudness)
    let gain = try #require(result.gain)
    #expect(abs(loudness(gain) + 16) <= LimitedGainSearch.tolerance)
    #expect((2...LimitedGainSearch.maxTrialCount).contains(result.trialCount))
  }

  @Test func noMoreIsTriedThanIsAllowed() {
    let result = found(target: -16, gain: 10, maxGain: 11.5) { $0 * 0.5 - 26 }
    #expect(result.gain == 11.5)
    let only = found(target: -5, gain: 40, maxGain: 40) { $0 - 65 }
    #expect(only.gain == 40 && only.trialCount == 1)
  }

  @Test func ineffectiveGainIsDiscarded() {
    let result = found(target: -16, gain: 10, maxGain: 13) { _ in -20 }
    #expect(result.gain == 10 && result.trialCount == 2)
  }

  @Test func excessLoudnessLowersGain() {
    let result = found(target: -16, gain: 10, maxGain: 13) { $0 - 25.5 }
    #expect(result.gain == 9.5 && result.trialCount == 2)
  }
}
