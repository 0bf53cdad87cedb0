import Foundation

/// The windows and the transform of AAC, computed from their formulas in double precision.
enum ReferenceTransform {
  /// The rising half of a sine window (ISO/IEC 14496-3, 4.6.11.3.2).
  static func sine(_ count: Int) -> [Double] {
    (0..<count).map { sin(.pi / Double(2 * count) * (Double($0) + 0.5)) }
  }

  /// The rising half of a Kaiser–Bessel derived window; alpha is 4 for long and 6 for short
  /// windows.
  static func kaiserBesselDerived(_ count: Int, alpha: Double) -> [Double] {
    let half = Double(count) / 2
    let kernel = (0...count).map { index in
      let position = (Double(index) - half) / half
      return bessel(.pi * alpha * (1 - position * position).squareRoot())
    }
    let total = kernel.reduce(0, +)
    var sum = 0.0
    return (0..<count).map { index in
      sum += kernel[index]
      return (sum / total).squareRoot()
    }
  }

  /// The modified Bessel function of the first kind and order zero, as a series.
  private static func bessel(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var index = 1.0
    while term > sum * 1e-18 {
      term *= (x / 2 / index) * (x / 2 / index)
      sum += term
      index += 1
    }
    return sum
  }

  /// X[k] = 2 Σ z[n] cos(2π/N (n + n0)(k + ½)) of the N windowed samples z.
  static func forward(_ samples: [Double]) -> [Double] {
    let size = samples.count
    let cosines = cosineTable(size)
    return (0..<size / 2).map { line in
      var sum = 0.0
      for (n, sample) in samples.enumerated() where sample != 0 {
        sum += sample * cosines[(2 * n + 1 + size / 2) * (2 * line + 1) % (4 * size)]
      }
      return 2 * sum
    }
  }

  /// x[n] = 2/N Σ X[k] cos(2π/N (n + n0)(k + ½)), N samples of N/2 lines, not yet windowed.
  ///
  /// The first half has odd symmetry and the second half even symmetry, so only one half of each is
  /// computed.
  static func inverse(_ spectrum: [Double]) -> [Double] {
    let size = 2 * spectrum.count
    let cosines = cosineTable(size)
    var output = [Double](repeating: 0, count: size)
    let lines = spectrum.indices.filter { spectrum[$0] != 0 }
    func sample(_ n: Int) -> Double {
      var sum = 0.0
      for line in lines {
        sum += spectrum[line] * cosines[(2 * n + 1 + size / 2) * (2 * line + 1) % (4 * size)]
      }
      return sum * 2 / Double(size)
    }
    for n in 0..<size / 4 {
      output[n] = sample(n)
      output[size / 2 - 1 - n] = -output[n]
      output[size / 2 + n] = sample(size / 2 + n)
      output[size - 1 - n] = output[size / 2 + n]
    }
    return output
  }

  /// cos(π/(2N) i) for i = 0..<4N; every angle of the transform of size N is one of these.
  private static func cosineTable(_ size: Int) -> [Double] {
    cosineTables[size] ?? makeCosines(size)
  }

  private static let cosineTables = Dictionary(
    uniqueKeysWithValues: [2048, 256, 1920, 240].map { ($0, makeCosines($0)) })

  private static func makeCosines(_ size: Int) -> [Double] {
    (0..<4 * size).map { cos(.pi / Double(2 * size) * Double($0)) }
  }
}
