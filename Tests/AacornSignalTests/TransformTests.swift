import Foundation
import Testing

@testable import AacornSignal

/// The fast transforms, compared with their definitions, for every length that a codec uses.
@Suite("Transforms") struct TransformTests {
  /// The maximum energy of an error relative to the signal: −120 dB.
  private static let floor = 1e-12

  private static func relativeError(_ values: [Float], _ exact: [Double]) -> Double {
    var error = 0.0
    var energy = 1e-30
    for (value, expected) in zip(values, exact) {
      error += (Double(value) - expected) * (Double(value) - expected)
      energy += expected * expected
    }
    return values.count >= exact.count ? error / energy : .infinity
  }

  /// X[k] = Σ x[n]·exp(−2πikn/N).
  private static func fourier(
    _ real: [Float], _ imaginary: [Float]
  ) -> (real: [Double], imaginary: [Double]) {
    let count = real.count
    let cosines = (0..<count).map { cos(2 * .pi * Double($0) / Double(count)) }
    let sines = (0..<count).map { sin(2 * .pi * Double($0) / Double(count)) }
    var result = (real: [Double](), imaginary: [Double]())
    for k in 0..<count {
      var (re, im) = (0.0, 0.0)
      for n in 0..<count {
        let (c, s) = (cosines[k * n % count], sines[k * n % count])
        re += Double(real[n]) * c + Double(imaginary[n]) * s
        im += Double(imaginary[n]) * c - Double(real[n]) * s
      }
      result.real.append(re)
      result.imaginary.append(im)
    }
    return result
  }

  /// X[k] = Σ u[n]·cos(π/M·(n + ½)(k + ½)).
  private static func cosineTransform(_ samples: some Collection<Float>) -> [Double] {
    let count = samples.count
    let cosines = (0..<8 * count).map { cos(.pi * Double($0) / Double(4 * count)) }
    return (0..<count).map { k in
      var sum = 0.0
      for (n, sample) in samples.enumerated() {
        let index = (2 * n + 1) * (2 * k + 1) % (8 * count)
        sum += Double(sample) * cosines[index]
      }
      return sum
    }
  }

  @Test(arguments: [32, 40, 64, 96, 120, 240, 256, 480, 512, 1024])
  func fourierTransformsFollowTheDefinition(count: Int) {
    var transform = FFT(count: count)
    var real = noise(count, seed: 5)
    var imaginary = noise(count, seed: 6)
    let exact = Self.fourier(real, imaginary)
    transform.transform(&real, &imaginary)
    #expect(Self.relativeError(real, exact.real) < Self.floor)
    #expect(Self.relativeError(imaginary, exact.imaginary) < Self.floor)
  }

  @Test(arguments: [240, 480, 512])
  func resultsAreRotatedOneByOne(count: Int) {
    var transform = FFT(count: count)
    var real = noise(count, seed: 5)
    var imaginary = noise(count, seed: 6)
    let exact = Self.fourier(real, imaginary)
    let (c, s) = (noise(count, seed: 7), noise(count, seed: 8))
    transform.transform(&real, &imaginary, rotatedByCosines: c, sines: s)
    var turnedReal: [Double] = []
    var turnedImaginary: [Double] = []
    for k in 0..<count {
      let (cosine, sine) = (Double(c[k]), Double(s[k]))
      turnedReal.append(exact.real[k] * cosine - exact.imaginary[k] * sine)
      turnedImaginary.append(-exact.real[k] * sine - exact.imaginary[k] * cosine)
    }
    #expect(Self.relativeError(real, turnedReal) < Self.floor)
    #expect(Self.relativeError(imaginary, turnedImaginary) < Self.floor)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 8, 15, 16, 30, 32, 60, 64, 128])
  func eightTransformsSideBySideFollowTheDefinition(points: Int) {
    var transform = LaneFFT(points: points)
    var real = noise(8 * points, seed: 15)
    var imaginary = noise(8 * points, seed: 16)
    let indices = (0..<8).map { Array(stride(from: $0, to: 8 * points, by: 8)) }
    let exact = indices.map { lane in
      Self.fourier(lane.map { real[$0] }, lane.map { imaginary[$0] })
    }
    transform.transform(&real, &imaginary)
    for (lane, exact) in zip(indices, exact) {
      #expect(Self.relativeError(lane.map { real[$0] }, exact.real) < Self.floor)
      #expect(Self.relativeError(lane.map { imaginary[$0] }, exact.imaginary) < Self.floor)
    }
  }

  @Test(arguments: [64, 480, 512, 960, 1024])
  func cosineTransformsFollowTheirFormula(count: Int) {
    var transform = DCT4(count: count, scale: 2)
    let samples = noise(count, seed: 21)
    var lines = [Float](repeating: 0, count: count)
    transform.transform(samples, into: &lines)
    #expect(Self.relativeError(lines, Self.cosineTransform(samples).map { 2 * $0 }) < Self.floor)
  }

  @Test(arguments: [60, 64, 120, 128])
  func eightCosineTransformsFollowTheirFormula(count: Int) {
    var transform = EightDCT4(count: count)
    let samples = noise(8 * count, seed: 22)
    var lines = [Float](repeating: 0, count: 8 * count)
    transform.transform(samples, into: &lines)
    for block in 0..<8 {
      let range = block * count..<(block + 1) * count
      let exact = Self.cosineTransform(samples[range])
      #expect(Self.relativeError(Array(lines[range]), exact) < Self.floor)
    }
  }
}
