import TestSignals
import Testing

@testable import AacornCodec

/// The filter that halves the sample rate for the core of band replication.
@Suite struct HalfBandDecimatorTests {
  static let reach = HalfBandDecimator.reach

  /// Decimates `samples`.
  ///
  /// The filter needs `reach` samples on either side of an output, so the first and last `reach`
  /// samples have no output.
  static func decimated(
    _ samples: [Float], passBand: Double = HalfBandDecimator.widestPassBand
  ) -> [Float] {
    let count = (samples.count - 2 * reach + 1) / 2
    var output = [Float](repeating: 0, count: count)
    var decimator = HalfBandDecimator(passBand: passBand)
    decimator.decimate(samples, from: reach, count: count, into: &output, at: 0)
    return output
  }

  @Test(arguments: [[1], [3, 1], [32], [33, 512, 5], [600, 31]])
  func groupingChangesNothing(counts: [Int]) {
    var random = SeededNumbers(seed: 5)
    let samples = random.floats(2 * 1300 + 2 * Self.reach, amplitude: 30_000)
    let whole = Self.decimated(samples)
    var output = [Float](repeating: 0, count: whole.count + 3)
    var decimator = HalfBandDecimator()
    var (done, turn) = (0, 0)
    while done < whole.count {
      let count = min(counts[turn % counts.count], whole.count - done)
      decimator.decimate(
        samples, from: Self.reach + 2 * done, count: count, into: &output, at: 3 + done)
      done += count
      turn += 1
    }
    #expect(output[3...].elementsEqual(whole))
    #expect(output[..<3].allSatisfy { $0 == 0 })
  }

  /// Sines in the pass band are unchanged, and sines whose alias would be in the pass band are
  /// attenuated.
  @Test(arguments: [0.1, 0.125, 0.18, 0.2188])
  func passesAndStops(passBand: Double) {
    for step in 0...16 {
      let share = Double(step) / 16
      let low = Self.sine(passBand * share)
      let passed = Self.decimated(low, passBand: passBand)
      var error: Float = 0
      for (n, value) in passed.enumerated() {
        error = max(error, (value - low[Self.reach + 2 * n]).magnitude)
      }
      // The maximum error is 0.02 dB.
      #expect(error < 0.0023 * 10_000, "\(passBand * share) is off by \(error)")
      let high = 0.5 - passBand * share
      let rest = Self.decimated(Self.sine(high), passBand: passBand)
      let peak = rest.reduce(0) { max($0, $1.magnitude) }
      // The minimum attenuation is 90 dB.
      #expect(peak < 3.16e-5 * 10_000, "\(high) leaves \(peak)")
    }
  }

  /// Returns a sine, or a constant, with an amplitude of 10,000.
  static func sine(_ frequency: Double) -> [Float] {
    var oscillator = Oscillator(hertz: frequency * 1e6, rate: 1_000_000, phase: 0.2)
    return (0..<3000).map { _ in Float(10_000 * oscillator.next()) }
  }
}
