/// Levels of a spectrum on a logarithmic frequency axis.
///
/// With a Hann window, three neighboring bins together contain nearly all power of a sine, wherever
/// its frequency is between them. If it is the frequency of the middle bin, their sum is 1.5 times
/// the power of that bin. So the level at a bin is the sum of its power and its two neighbors'
/// powers.
struct SpectrumBands: Sendable {
  /// A band: its bins or, if it is narrower than their spacing, a point between two bins.
  private struct Band: Sendable {
    var first: Int
    /// The last bin; −1 for a band beyond half the sampling rate.
    var last: Int
    /// The position of a narrow band between `first` and the next bin.
    var fraction: Float
  }

  /// The lowest and highest frequencies of the axis, in hertz.
  static let lowest = 40.0
  static let highest = 20_000.0

  private let bands: [Band]
  /// The factor that scales the sum of three powers to 1 for a full-scale sine.
  private let scale: Float
  /// The highest bin in use.
  private let lastBin: Int

  /// Creates bands for the powers of a transform of `length` samples.
  init(count: Int, sampleRate: Int, length: Int) {
    let top = min(Self.highest, Double(sampleRate) / 2)
    let ratio = ElementaryFunctions.root(Self.highest / Self.lowest, degree: count)
    let binsPerHertz = Double(length) / Double(sampleRate)
    let limit = length / 2 - 1
    var bands: [Band] = []
    var last = 1
    var low = Self.lowest
    for _ in 0..<count {
      let high = low * ratio
      // The center determines whether the band is below half the sampling rate.
      let center = (low + high) / 2
      let (from, to) = (low * binsPerHertz, high * binsPerHertz)
      var band = Band(first: 1, last: -1, fraction: 0)
      if center < top {
        band.first = min(max(Int(from + 0.999_999), 1), limit)
        band.last = min(Int(to), limit)
        if band.last <= band.first {
          let centerBin = center * binsPerHertz
          band.first = min(max(Int(centerBin), 1), limit - 1)
          band.last = band.first
          band.fraction = Float(min(max(centerBin - Double(band.first), 0), 1))
        }
        last = max(last, band.last + 1)
      }
      bands.append(band)
      low = high
    }
    self.bands = bands
    lastBin = min(last, limit)
    // A sine of amplitude 1 has |X| = length / 2 · ½ in the bin of its frequency, and half of that
    // in each neighboring bin.
    let peak = Double(length) / 4
    scale = Float(1 / (peak * peak * 1.5))
  }

  /// Appends one byte per band: 255 for a power of 1, 2.55 less for each decibel below, at least 0.
  ///
  /// - Parameters:
  ///   - powers: The powers of all bins from 0 to half the sampling rate.
  ///   - logarithms: Scratch space for the same number of values.
  ///   - levels: The destination of the bytes.
  func appendLevels(of powers: [Float], logarithms: inout [Float], to levels: inout [UInt8]) {
    for bin in 1...lastBin {
      let sum = (powers[bin - 1] + powers[bin] + powers[bin + 1]) * scale
      // The floor is far below −100 dB, and still a normal number.
      logarithms[bin] = ElementaryFunctions.log2(sum > 1e-12 ? sum : 1e-12)
    }
    for band in bands {
      guard band.last >= band.first else {
        levels.append(0)
        continue
      }
      var level = logarithms[band.first]
      if band.fraction > 0 {
        level += (logarithms[band.first + 1] - level) * band.fraction
      } else {
        for bin in band.first...band.last where logarithms[bin] > level {
          level = logarithms[bin]
        }
      }
      // 10 · log₁₀ 2 decibels, 2.55 steps each.
      let step = level * 7.676_500 + 255.5
      levels.append(step <= 0 ? 0 : step >= 255 ? 255 : UInt8(step))
    }
  }
}
