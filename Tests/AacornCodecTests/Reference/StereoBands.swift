@testable import AacornCodec

/// Two channels in the 64 bands of a filter bank: their powers and their correlation.
struct StereoBands {
  private var left = [Double](repeating: 0, count: 64)
  private var right = [Double](repeating: 0, count: 64)
  private var common = [Double](repeating: 0, count: 64)

  /// Measures two channels from sample `start` on, which must be at least 576.
  init(_ channels: [[Float]], from start: Int = 8192) {
    let slotCount = (channels[0].count - start) / 256 * 4
    let (a, b) = (
      Self.rows(channels[0], start, slotCount), Self.rows(channels[1], start, slotCount)
    )
    for index in 0..<64 * slotCount {
      let (l, li) = (Double(a.real[index]), Double(a.imaginary[index]))
      let (r, ri) = (Double(b.real[index]), Double(b.imaginary[index]))
      left[index % 64] += l * l + li * li
      right[index % 64] += r * r + ri * ri
      common[index % 64] += l * r + li * ri
    }
  }

  private static func rows(
    _ samples: [Float], _ start: Int, _ slotCount: Int
  ) -> (real: [Float], imaginary: [Float]) {
    var real = [Float](repeating: 0, count: 64 * slotCount)
    var imaginary = real
    var analysis = QMFAnalysis64()
    analysis.analyze(
      samples, from: start, slotCount: slotCount, into: &real, &imaginary, firstRow: 0)
    return (real, imaginary)
  }

  func powers(_ bands: Range<Int>) -> (left: Double, right: Double) {
    (left[bands].reduce(1e-12, +), right[bands].reduce(1e-12, +))
  }

  /// The level of the left channel relative to the right one in `bands`, in decibels.
  func difference(_ bands: Range<Int>) -> Double {
    let powers = self.powers(bands)
    return Likeness.decibels(powers.left / powers.right)
  }

  /// The correlation of the channels in `bands`, in −1…1.
  func correlation(_ bands: Range<Int>) -> Double {
    let powers = self.powers(bands)
    return common[bands].reduce(0, +) / (powers.left * powers.right).squareRoot()
  }

  /// The levels of the channels relative to `others` in `bands`, in decibels.
  func gain(over others: StereoBands, _ bands: Range<Int>) -> (left: Double, right: Double) {
    let (powers, other) = (self.powers(bands), others.powers(bands))
    return (
      Likeness.decibels(powers.left / other.left), Likeness.decibels(powers.right / other.right)
    )
  }
}
