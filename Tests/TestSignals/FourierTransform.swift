import Foundation

/// The power spectrum of real samples, by a radix-2 fast Fourier transform.
package struct FourierTransform: Sendable {
  package let count: Int
  private let cosines: [Double]
  private let sines: [Double]

  /// Creates a transform of `count` samples.
  ///
  /// `count` is a power of two.
  package init(count: Int) {
    precondition(count > 1 && count & (count - 1) == 0)
    self.count = count
    let angles = (0..<count / 2).map { 2 * Double.pi * Double($0) / Double(count) }
    cosines = angles.map { cos($0) }
    sines = angles.map { sin($0) }
  }

  /// The squared magnitudes of the lines from zero to half the sample rate, inclusive.
  package func power(of samples: [Double]) -> [Double] {
    precondition(samples.count == count)
    var real = inBitReversedOrder(samples)
    var imaginary = [Double](repeating: 0, count: count)
    var half = 1
    while half < count {
      // Combines two transforms of `half` samples into one of twice the length.
      let step = count / (2 * half)
      for start in stride(from: 0, to: count, by: 2 * half) {
        for k in 0..<half {
          let (even, odd) = (start + k, start + k + half)
          let (cosine, sine) = (cosines[k * step], sines[k * step])
          let turnedReal = real[odd] * cosine + imaginary[odd] * sine
          let turnedImaginary = imaginary[odd] * cosine - real[odd] * sine
          (real[odd], imaginary[odd]) = (real[even] - turnedReal, imaginary[even] - turnedImaginary)
          real[even] += turnedReal
          imaginary[even] += turnedImaginary
        }
      }
      half *= 2
    }
    return (0...count / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
  }

  private func inBitReversedOrder(_ samples: [Double]) -> [Double] {
    var ordered = samples
    var reversed = 0
    for n in 1..<count {
      var bit = count / 2
      while reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
      ordered[n] = samples[reversed]
    }
    return ordered
  }
}
