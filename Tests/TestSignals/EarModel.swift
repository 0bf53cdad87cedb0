import Foundation

/// A psychoacoustic model after the basic version of ITU-R BS.1387, 2.1.
///
/// The Recommendation is for 48 kHz. This model uses its formulas at every rate, to avoid
/// resampling. At 44.1 kHz that changes the results by 0.1 or 0.2 dB.
package struct EarModel: Sendable {
  /// The number of samples in a frame.
  ///
  /// Frames overlap by half.
  package static let frameLength = 2048
  /// The width of a band in Bark.
  private static let bandWidth = 0.25
  /// The bands cover 80 Hz to 18 kHz.
  private static let range = bark(80)...bark(18_000)

  /// The spectral lines of a band, and its masking properties.
  private struct Band: Sendable {
    var firstLine = 0
    /// The share of each line that is in the band, starting with the first line.
    var shares: [Double] = []
    /// The internal noise of the ear, as a power.
    var innerNoise = 0.0
    /// The ratio of the masking threshold to the excitation, as powers.
    var maskingOffset = 0.0
    /// The share of the excitation that remains one frame later.
    var persistence = 0.0
    /// The slope toward the next higher band in dB, without the level-dependent part.
    var upwardSlope = 0.0
  }

  private let bands: [Band]
  private let transform = FourierTransform(count: frameLength)
  /// The Hann window, scaled so that a full-scale sine has a level of 92 dB.
  private let window: [Double]
  /// The transmission from the outer to the inner ear, as a power for each line.
  private let transmission: [Double]
  /// The result of spreading bands with energy one, used for normalization.
  private var spreadOfOnes: [Double] = []

  package var bandCount: Int { bands.count }

  package init(rate: Int) {
    let length = Double(Self.frameLength)
    let step = Double(rate) / length
    // With a Hann window, a sine between two lines reaches 0.8497 of the window's sum.
    let scale = pow(10, 92.0 / 20) / (0.8497 * (length - 1) / 4)
    window = (0..<Self.frameLength).map {
      scale * 0.5 * (1 - cos(2 * .pi * Double($0) / (length - 1)))
    }
    transmission = (0...Self.frameLength / 2).map { line in
      if line == 0 { return 0 }
      let kilohertz = Double(line) * step / 1000
      return Self.power(
        -0.6 * 3.64 * pow(kilohertz, -0.8) + 6.5 * exp(-0.6 * pow(kilohertz - 3.3, 2))
          - 0.001 * pow(kilohertz, 3.6))
    }
    let count = Int(
      ((Self.range.upperBound - Self.range.lowerBound) / Self.bandWidth).rounded(.up))
    bands = (0..<count).map {
      Self.band($0, step: step, framesPerSecond: Double(rate) / (length / 2))
    }
    spreadOfOnes = spread([Double](repeating: 1, count: count))
  }

  private static func band(_ index: Int, step: Double, framesPerSecond: Double) -> Band {
    let low = range.lowerBound + bandWidth * Double(index)
    let high = min(low + bandWidth, range.upperBound)
    let center = hertz((low + high) / 2)
    // A line covers half the distance to its neighbors on either side.
    let edges = hertz(low) / step...hertz(high) / step
    let first = Int((edges.lowerBound + 0.5).rounded(.down))
    let last = Int((edges.upperBound + 0.5).rounded(.down))
    var band = Band()
    band.firstLine = first
    // At low rates there are no lines above half the sample rate.
    band.shares = (first...last).filter { $0 <= frameLength / 2 }.map { line in
      let (below, above) = (Double(line) - 0.5, Double(line) + 0.5)
      return max(0, min(edges.upperBound, above) - max(edges.lowerBound, below))
    }
    band.innerNoise = power(0.4 * 3.64 * pow(center / 1000, -0.8))
    band.maskingOffset = power(-max(3, 0.25 * bandWidth * Double(index)))
    let seconds = 0.008 + 100 / center * (0.030 - 0.008)
    band.persistence = exp(-1 / (framesPerSecond * seconds))
    band.upwardSlope = -24 - 230 / center
    return band
  }

  /// The power of every line of a frame in the inner ear.
  package func spectrum(of frame: ArraySlice<Float>) -> [Double] {
    let power = transform.power(of: zip(frame, window).map { Double($0) * $1 })
    return zip(power, transmission).map { $0 * $1 }
  }

  /// The powers of lines, summed in bands.
  package func energies(of lines: [Double]) -> [Double] {
    bands.map { band in
      var sum = 1e-12
      for (index, share) in band.shares.enumerated() {
        sum += share * lines[band.firstLine + index]
      }
      return sum
    }
  }

  /// Whether the energy of at least one band exceeds the internal noise.
  package func perceives(_ energies: [Double]) -> Bool {
    zip(energies, bands).contains { $0 > $1.innerNoise }
  }

  /// The maximum noise energies that signals of these energies mask, frame by frame.
  package func thresholds(of frames: [[Double]]) -> [[Double]] {
    var state = [Double](repeating: 0, count: bandCount)
    return frames.map { energies in
      let excitation = spread(zip(energies, bands).map { $0 + $1.innerNoise })
      return bands.indices.map { index in
        let persistence = bands[index].persistence
        state[index] = persistence * state[index] + (1 - persistence) * excitation[index]
        return max(state[index], excitation[index]) * bands[index].maskingOffset
      }
    }
  }

  /// Spreads the energy of every band to its neighbors.
  ///
  /// The slope is 27 dB per Bark downward. Upward it is flatter for louder bands. Contributions are
  /// added with an exponent of 0.4, not as powers.
  private func spread(_ energies: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: bandCount)
    let down = Self.power(-27 * Self.bandWidth)
    for (index, energy) in energies.enumerated() {
      let slope = bands[index].upwardSlope + 2 * log10(energy)
      let up = Self.power(slope * Self.bandWidth)
      let (below, above) = (Double(index), Double(bandCount - index))
      // The total normalizes the spread energy. It is the sum of two geometric series; one includes
      // the band itself.
      let total = down * (1 - pow(down, below)) / (1 - down) + (1 - pow(up, above)) / (1 - up)
      let own = pow(energy / total, 0.4)
      let (downward, upward) = (pow(down, 0.4), pow(up, 0.4))
      var part = own
      for other in index..<bandCount {
        sums[other] += part
        part *= upward
      }
      part = own
      for other in (0..<index).reversed() {
        part *= downward
        sums[other] += part
      }
    }
    let spread = sums.map { pow($0, 2.5) }
    return spreadOfOnes.isEmpty ? spread : zip(spread, spreadOfOnes).map { $0 / $1 }
  }

  private static func power(_ decibels: Double) -> Double { pow(10, decibels / 10) }

  private static func bark(_ hertz: Double) -> Double { 7 * asinh(hertz / 650) }

  private static func hertz(_ bark: Double) -> Double { 650 * sinh(bark / 7) }
}
