import AacornSignal
import Foundation
import Testing

struct LevelMeterTests {
  private func meter(_ samples: [Float], channels: Int = 1, rate: Int = 48_000) -> LevelMeter {
    var meter = LevelMeter(channelCount: channels, sampleRate: rate)
    meter.process(samples.span)
    return meter
  }

  @Test(arguments: [1.0, 0.5, 0.1, 0.001, 1e-6])
  func aSineHasItsPeakAndThreeDecibelsLess(amplitude: Double) {
    let level = meter(sine(500, amplitude: amplitude, count: 9600)).levels[0]
    #expect(abs(Double(level.peakDecibels) - 20 * log10(amplitude)) < 0.001)
    #expect(abs(Double(level.rmsDecibels) - 20 * log10(amplitude) + 3.0103) < 0.001)
    #expect(abs(Double(level.power) - amplitude * amplitude / 2) < 1e-6 * amplitude * amplitude)
  }

  @Test func decibelsAgreeWithTheMathematicalLibrary() {
    for exponent in -45...38 {
      for part in 0..<100 {
        let amplitude = Float(pow(10, Double(exponent) + Double(part) / 100))
        guard amplitude > 0 && amplitude.isFinite else { continue }
        let expected = 20 * log10(Double(amplitude))
        #expect(abs(Double(Decibels.of(amplitude: amplitude)) - expected) < 3.1e-5)
        #expect(abs(Double(Decibels.of(power: amplitude)) - expected / 2) < 1.6e-5)
      }
    }
    #expect(Decibels.of(amplitude: 1) == 0)
    #expect(Decibels.of(amplitude: -1) == 0)
    #expect(Decibels.of(amplitude: 0) == -.infinity)
    #expect(Decibels.of(amplitude: .infinity) == .infinity)
    #expect(Decibels.of(amplitude: .nan).isNaN)
    #expect(Decibels.of(power: 0) == -.infinity)
  }

  @Test func channelsAreMeasuredApart() {
    let meter = meter([0.5, -0.25, 0, 0.5, 0.125, 0], channels: 3)
    #expect(meter.levels.map(\.peak) == [0.5, 0.25, 0])
    #expect(meter.levels.map(\.power) == [0.25, (0.0625 + 0.015625) / 2, 0])
  }

  @Test func aBlockReplacesWhatTheOneBeforeHadButAnEmptyOneDoesNot() {
    var meter = meter([0.5, 0.5])
    meter.process([Float]().span)
    #expect(meter.levels[0].peak == 0.5)
    let quiet: [Float] = [0.1]
    meter.process(quiet.span)
    #expect(meter.levels[0].peak == 0.1)
    #expect(meter.levels[0].heldPeak == 0.5)
  }

  @Test(arguments: [1000, 8000, 48_000, 192_000])
  func aPeakIsHeldForASecondAndThenFalls(rate: Int) {
    var meter = LevelMeter(channelCount: 1, sampleRate: rate)
    var samples = [Float](repeating: 0, count: rate + 1)
    samples[0] = 0.5
    meter.process(samples.span)
    #expect(meter.levels[0].heldPeak == 0.5)
    let silence = [Float](repeating: 0, count: rate)
    meter.process(silence.span)
    #expect(abs(meter.levels[0].heldPeakDecibels - (-6.0206 - 20)) < 0.1)
    meter.process(silence.span)
    #expect(abs(meter.levels[0].heldPeakDecibels - (-6.0206 - 40)) < 0.2)
    for _ in 0..<10 { meter.process(silence.span) }
    #expect(meter.levels[0].heldPeak == 0)
  }

  @Test func peaksAreThoseSinceTheyWereTaken() {
    var meter = meter([0.5, -0.75, 0.25, 0.1], channels: 2)
    let more: [Float] = [-0.6, 0]
    meter.process(more.span)
    #expect(meter.takePeaks() == [0.6, 0.75])
    #expect(meter.takePeaks() == [0, 0])
    meter.process(more.span)
    #expect(meter.takePeaks() == [0.6, 0])
  }

  @Test func overloadNeedsThreeSamplesAtFullScale() {
    #expect(meter([0, 1, 1, 0, -1, -1, 0.9, 1, 0]).clippedSampleCount == 0)
    #expect(meter([0, 1, 1, 1, 0]).clippedSampleCount == 3)
    #expect(meter([-1, -1, -1, -1, 0, 1, 1]).clippedSampleCount == 4)
    // The maximum of 16 bits, and a value one step below.
    #expect(meter(Array(repeating: 32_767 / 32_768, count: 5)).clippedSampleCount == 5)
    #expect(meter(Array(repeating: 32_766 / 32_768, count: 5)).clippedSampleCount == 0)
  }

  @Test func everySampleBeyondFullScaleIsOverload() {
    #expect(meter([0, 1.001, 0, -1.5, 0]).clippedSampleCount == 2)
    // A sample beyond full scale joins the runs at full scale before and after it into one.
    #expect(meter([0, 1, 1.5, 1, 0]).clippedSampleCount == 3)
    #expect(meter([0, 1, 1.5, 0]).clippedSampleCount == 1)
    #expect(meter([.infinity, 0, -.infinity, .nan]).clippedSampleCount == 2)
  }

  @Test func overloadRunsAreCountedPerChannel() {
    #expect(meter([1, 0, 1, 0, 0, 1, 0, 1], channels: 2).clippedSampleCount == 0)
    #expect(meter([1, 0, 1, 1, 1, 1, 0, 1], channels: 2).clippedSampleCount == 6)
  }

  @Test func levelMeterIgnoresInvalidSamples() {
    let level = meter([.nan, 0.5, .infinity, -.infinity]).levels[0]
    #expect(level.peak == 0.5 && level.power == 0.0625 && level.heldPeak == 0.5)
  }

  @Test func levelMeterIsIndependentOfBlockSize() {
    let samples = noise(40_000, seed: 1).map { $0 * 1.07 }
    var whole = meter(samples, channels: 2, rate: 4000)
    var cut = LevelMeter(channelCount: 2, sampleRate: 4000)
    inPieces(samples, of: Array(1...25), channelCount: 2) { cut.process($0) }
    #expect(whole.clippedSampleCount > 0)
    #expect(cut.clippedSampleCount == whole.clippedSampleCount)
    #expect(cut.levels.map(\.heldPeak) == whole.levels.map(\.heldPeak))
    #expect(cut.takePeaks() == whole.takePeaks())
  }
}
