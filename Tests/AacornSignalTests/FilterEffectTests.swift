import AacornSignal
import Foundation
import Testing

/// Filters, compared with the formulas of their analog models.
@Suite struct FilterEffectTests {
  /// |H(j·w)| in decibels of an analog section, with w relative to its frequency.
  private func analog(_ kind: Biquad.Kind, _ w: Double, q: Double, decibels: Double) -> Double {
    let a = pow(10, decibels / 40)
    // Polynomials as (real, imaginary) parts at s = jw.
    let square = -w * w
    var above = (0.0, 0.0)
    var below = (0.0, 0.0)
    switch kind {
    case .lowPass: (above, below) = ((1, 0), (square + 1, w / q))
    case .highPass: (above, below) = ((square, 0), (square + 1, w / q))
    case .bandPass: (above, below) = ((0, w / q), (square + 1, w / q))
    case .notch: (above, below) = ((square + 1, 0), (square + 1, w / q))
    case .peak: (above, below) = ((square + 1, w * a / q), (square + 1, w / (a * q)))
    case .lowShelf:
      above = (a * (square + a), a * a.squareRoot() / q * w)
      below = (a * square + 1, a.squareRoot() / q * w)
    case .highShelf:
      above = (a * (a * square + 1), a * a.squareRoot() / q * w)
      below = (square + a, a.squareRoot() / q * w)
    }
    func power(_ value: (Double, Double)) -> Double { value.0 * value.0 + value.1 * value.1 }
    return 10 * log10(power(above) / power(below))
  }

  /// The analog frequency, relative to a corner frequency, after the bilinear transform.
  private func warped(_ frequency: Double, _ corner: Double) -> Double {
    tan(Double.pi * frequency / 48_000) / tan(Double.pi * corner / 48_000)
  }

  @Test(arguments: [
    Biquad.Kind.lowPass, .highPass, .bandPass, .notch, .peak, .lowShelf, .highShelf,
  ])
  func bandsHaveTheResponseOfTheirFormula(kind: Biquad.Kind) {
    var impulse = [Float](repeating: 0, count: 96_000)
    impulse[0] = 1
    for (corner, q, decibels) in [(30.0, 0.7, 9.0), (1000, 4, -15), (9000, 1, 6)] {
      let effect = EqualizerEffect(
        [.init(kind, frequency: corner, decibels: decibels, quality: q)], channelCount: 1,
        sampleRate: 48_000)
      let result = processed(effect, impulse)
      for frequency in [12.0, 31, 150, 700, 1010, 4000, 9100, 17_000] {
        let wanted = analog(kind, warped(frequency, corner), q: q, decibels: decibels)
        // At low levels, rounding to 24 bits dominates.
        if wanted < -70 { continue }
        let found = response(result, at: frequency)
        #expect(abs(found - wanted) < 0.05, "\(corner) \(frequency): \(found) \(wanted)")
      }
    }
  }

  @Test(arguments: [HighPassEffect.Slope.twelve, .twentyFour], [25.0, 80, 2000])
  func highPassesAreButterworthFilters(slope: HighPassEffect.Slope, corner: Double) {
    var impulse = [Float](repeating: 0, count: 96_000)
    impulse[0] = 1
    let effect = HighPassEffect(
      .init(frequency: corner, slope: slope), channelCount: 1, sampleRate: 48_000)
    let result = processed(effect, impulse)
    let order = slope == .twelve ? 2.0 : 4
    for part in [0.5, 1, 1.5, 4, 10] {
      let w = warped(corner * part, corner)
      let wanted = -10 * log10(1 + pow(w, -2 * order))
      let found = response(result, at: corner * part)
      #expect(abs(found - wanted) < 0.05, "\(corner * part): \(found) \(wanted)")
    }
  }

  @Test func channelsAreFilteredApart() {
    let effect = HighPassEffect(.init(frequency: 300), channelCount: 3, sampleRate: 48_000)
    let single = HighPassEffect(.init(frequency: 300), channelCount: 1, sampleRate: 48_000)
    let parts = [noise(3000, seed: 1), noise(3000, seed: 2), noise(3000, seed: 3)]
    var frames: [Float] = []
    for index in 0..<3000 { frames += parts.map { $0[index] } }
    let result = processed(effect, frames, channelCount: 3)
    for (channel, part) in parts.enumerated() {
      let own = stride(from: channel, to: result.count, by: 3).map { result[$0] }
      #expect(own == processed(single, part))
    }
  }

  @Test func frequenciesBeyondTheRateAreItsHighest() {
    let samples = noise(4000)
    func filtered(_ frequency: Double) -> [Float] {
      let band = EqualizerEffect.Band(.lowPass, frequency: frequency)
      return processed(EqualizerEffect([band], channelCount: 1, sampleRate: 8000), samples)
    }
    // 98 % of half the rate.
    let highest = filtered(3920)
    for frequency in [3921, 4000, 20_000, 1e9, .infinity] {
      #expect(filtered(frequency) == highest, "\(frequency)")
    }
    #expect(filtered(3900) != highest)
    // It passes nearly everything.
    func power(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
    #expect(power(highest) > 0.9 * power(samples) && power(highest) < 1.1 * power(samples))
  }
}
