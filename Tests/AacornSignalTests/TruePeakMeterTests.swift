import AacornSignal
import Foundation
import Testing

struct TruePeakMeterTests {
  /// A sine of a frequency in parts of the rate, behind a gentle start.
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

  /// EBU Tech 3341, cases 15 to 19 in kind: the samples miss the peak, by 3 dB in the first case.
  @Test(arguments: [(4.0, 45.0), (4, 0), (6, 60), (8, 67.5), (3, 30), (100, 0)])
  func theTopOfASineIsFoundBetweenItsSamples(part: Double, degrees: Double) {
    let found = decibels(sine(1 / part, phase: degrees * Double.pi / 180))
    #expect(found < -6.02 + 0.2 && found > -6.02 - 0.4, "\(found)")
  }

  @Test func aQuarterOfTheRateIsFoundToATenth() {
    let samples = sine(0.25, phase: Double.pi / 4)
    let greatest = samples.map(\.magnitude).max() ?? 0
    #expect(abs(20 * log10(Double(greatest)) + 9.03) < 0.01)
    #expect(abs(decibels(samples) + 6.02) < 0.1)
  }

  @Test func itIsNeverBelowTheSamples() {
    var state: UInt32 = 7
    let samples = (0..<5003).map { _ -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) * 0x1p-31
    }
    var meter = TruePeakMeter(channelCount: 1)
    for end in [1, 2, 3, 5, 1024, 1030, 5003] {
      var fresh = TruePeakMeter(channelCount: 1)
      let part = Array(samples[..<end])
      fresh.process(part.span)
      #expect(fresh.peak >= part.map(\.magnitude).max() ?? 0)
    }
    var start = 0
    for length in [1, 2, 3, 1023, 1024, 1025, 1925] {
      let part = Array(samples[start..<start + length])
      meter.process(part.span)
      start += length
    }
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
