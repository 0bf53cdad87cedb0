import TestSignals

@testable import AacornCodec

struct StereoSound {
  typealias Complex = ReferenceStereo.Complex

  /// Slots of 64 bands.
  ///
  /// Frame i starts at slot 32·i; frame 0 also uses the first eight slots as history.
  var left: [[Complex]] = []
  var right: [[Complex]] = []

  /// Creates two channels with the given powers and correlation in every band.
  init(
    frames: Int, left: Double = 1000, right: Double = 1000, correlation: Double, seed: UInt64 = 1
  ) {
    var random = SeededNumbers(seed: seed)
    func noise() -> Complex {
      // A sum of uniform random numbers approximates a normal distribution.
      func part() -> Double {
        (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) }
      }
      return Complex(re: part(), im: part())
    }
    let other = (1 - correlation * correlation).squareRoot()
    for _ in 0..<frames * 32 + 32 {
      let (common, own) = ((0..<64).map { _ in noise() }, (0..<64).map { _ in noise() })
      self.left.append(common.map { $0 * left })
      self.right.append(zip(common, own).map { ($0 * correlation + $1 * other) * right })
    }
  }

  var frameCount: Int { left.count / 32 - 1 }

  /// The rows of a frame for the encoder, starting eight slots before it.
  static func rows(_ slots: [[Complex]], _ frame: Int) -> (real: [Float], imaginary: [Float]) {
    let rows = slots[frame * 32..<frame * 32 + 64].flatMap { $0 }
    return (rows.map { Float($0.re) } + [0, 0, 0, 0], rows.map { Float($0.im) } + [0, 0, 0, 0])
  }

  func encode(_ frame: Int, _ encoder: inout StereoEncoder, hasHeader: Bool? = nil) {
    let (left, right) = (Self.rows(left, frame), Self.rows(right, frame))
    encoder.encode(
      leftReal: left.real, leftImaginary: left.imaginary, rightReal: right.real,
      rightImaginary: right.imaginary, hasHeader: hasHeader ?? (frame == 0))
  }

  /// Writes the data of a frame; returns the bytes and the number of bits.
  static func bits(_ data: StereoData) -> (bytes: [UInt8], count: Int) {
    var writer = BitWriter()
    data.put(to: &writer)
    let count = writer.bitCount
    writer.alignToByte()
    return (writer.bytes, count)
  }

  /// The power in `bands` of slots 0...31; the rows begin at slot −8.
  static func power(_ real: [Float], _ imaginary: [Float], _ bands: Range<Int>) -> Double {
    var sum = 0.0
    for slot in 8..<40 {
      for band in bands {
        let (re, im) = (Double(real[slot * 64 + band]), Double(imaginary[slot * 64 + band]))
        sum += re * re + im * im
      }
    }
    return sum
  }
}
