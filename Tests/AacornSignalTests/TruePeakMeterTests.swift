import AacornSignal
import Foundation
import Testing

struct TruePeakMeterTests {
  /// Returns a sine after a fade-in; the frequency is relative to the sample rate.
  private func sine(_ frequency: Double, phase: Double, count: Int = 4800) -> [Float] {
    (0..<count).map { index in
      let rise = min(1, Double(index) / 480)
      return Float(0.5 * rise * sin(2 * Double.pi * frequency * Double(index) + phase))
    }
  }

  private func decibels(_ samples: [Float]) -> Double {
    var meter = TruePeakMeter(channelCount: 1)
    meter.process(samples.span)
    return 20 * log10(Double(meter.peak))
  }

  /// EBU Tech 3341, cases 15 to 19, and two similar ones: periods, phases, amplitudes and expected
  /// peaks.
  static let tones: [(part: Double, degrees: Double, amplitude: Double, decibels: Double)] = [
    (4, 0, 0.5, -6), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3),
    (3, 30, 0.5, -6.02), (100, 0, 0.5, -6.02),
  ]

  @Test(arguments: tones)
  func tonesHaveTheirTruePeak(part: Double, degrees: Double, amplitude: Double, decibels: Double) {
    let samples = sine(1 / part, phase: degrees * Double.pi / 180).map { sample in
      sample * Float(2 * amplitude)
    }
    let found = self.decibels(samples)
    #expect(found <= decibels + 0.2 && found >= decibels - 0.4, "\(found)")
  }

  /// Similar to cases 20 to 23: one period is louder, and its peak is a number of quarters of a
  /// sample after a sample.
  @Test(arguments: 0..<4)
  func oneLouderPeriodIsFoundBetweenTheSamples(quarter: Int) {
    // Generated at four times the rate, and decimated with a filter that keeps frequencies below
    // half of the rate.
    let (rate, middle) = (4.0, 2000)
    var fine = (0..<4000).map { 0.5 * sin(2 * Double.pi * Double($0) / (6 * rate)) }
    for index in middle..<middle + Int(6 * rate) { fine[index] *= 2 }
    let half = 64
    let taps = (-half * 4...half * 4).map { tap -> Double in
      let x = Double(tap) / 4
      let sinc = x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x)
      return sinc * (0.5 + 0.5 * cos(Double.pi * x / Double(half + 1))) / 4
    }
    var smooth = fine
    for index in fine.indices {
      var sum = 0.0
      for (offset, tap) in taps.enumerated() {
        let source = index + offset - half * 4
        if fine.indices.contains(source) { sum += fine[source] * tap }
      }
      smooth[index] = sum
    }
    // Without both ends, at which the signal begins and ends abruptly.
    let inner = smooth[1000..<3000]
    let wanted = 20 * log10(inner.map(\.magnitude).max() ?? 0)
    let samples = stride(from: 1000 + quarter, to: 3000, by: 4).map { index -> Float in
      let rise = min(1, min(Double(index - 1000), Double(3000 - index)) / 200)
      return Float(smooth[index] * rise)
    }
    let found = decibels(samples)
    #expect(abs(wanted) < 0.4, "\(wanted)")
    #expect(found < wanted + 0.2 && found > wanted - 0.4, "\(found) instead of \(wanted)")
  }

  @Test func aQuarterOfTheRateIsFoundToATenth() {
    let samples = sine(0.25, phase: Double.pi / 4)
    let maximum = samples.map(\.magnitude).max() ?? 0
    #expect(abs(20 * log10(Double(maximum)) + 9.03) < 0.01)
    #expect(abs(decibels(samples) + 6.02) < 0.1)
  }

  @Test func truePeakIsAtLeastSamplePeak() {
    let samples = noise(5003)
    var meter = TruePeakMeter(channelCount: 1)
    for end in [1, 2, 3, 5, 1024, 1030, 5003] {
      var fresh = TruePeakMeter(channelCount: 1)
      let part = Array(samples[..<end])
      fresh.process(part.span)
      #expect(fresh.peak >= part.map(\.magnitude).max() ?? 0)
    }
    inPieces(samples, of: [1, 2, 3, 1023, 1024, 1025, 1925]) { meter.process($0) }
    var whole = TruePeakMeter(channelCount: 1)
    whole.process(samples.span)
    #expect(meter.peak == whole.peak)
  }

  @Test func channelsAreMeasuredApart() {
    let left = sine(0.25, phase: Double.pi / 4)
    let right = sine(0.01, phase: 0)
    var both: [Float] = []
    for (one, other) in zip(left, right) { both += [one, other / 4, 0] }
    var meter = TruePeakMeter(channelCount: 3)
    meter.process(both.span)
    #expect(abs(meter.peaks[0] - 0.5) < 0.01)
    #expect(abs(meter.peaks[1] - 0.125) < 0.001)
    #expect(meter.peaks[2] == 0 && meter.peak == meter.peaks[0])
  }
}
