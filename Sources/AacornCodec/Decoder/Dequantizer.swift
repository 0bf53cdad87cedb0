import AacornSignal

/// Turns quantized lines into lines: x = sign q · |q|^(4/3) · 2^((s − 100)/4) (ISO/IEC 14496-3,
/// 4.6.1.3 and 4.6.2.3.3).
struct Dequantizer: Sendable {
  /// Magnitudes below this are looked up.
  private static let limit = 128
  /// q^(4/3) for −`limit`…`limit`.
  private let powers: [Float]

  init() {
    var powers: [Float] = []
    for q in -Self.limit...Self.limit { powers.append(Self.power(Int32(q))) }
    self.powers = powers
  }

  /// 2^(index/4), at most 2^±100, far beyond any legal value.
  @inline(__always)
  static func gain(_ index: Int) -> Float {
    let index = min(max(index, -400), 400)
    let root: Float =
      switch index & 3 {
      case 0: 1
      case 1: 1.189_207_1
      case 2: 1.414_213_5
      default: 1.681_792_8
      }
    return root * Float(bitPattern: UInt32(truncatingIfNeeded: 127 &+ (index &>> 2)) &<< 23)
  }

  /// sign q · |q|^(4/3) of any magnitude up to 8191 + 15.
  static func power(_ q: Int32) -> Float {
    if q == 0 { return 0 }
    let x = Double(abs(q))
    // |q|^(1/3) by Newton's iteration, whose error is squared at each step.
    var root = Double(ElementaryFunctions.exp2(ElementaryFunctions.log2(Float(x)) / 3))
    for _ in 0..<2 { root -= (root * root * root - x) / (3 * root * root) }
    return Float(q > 0 ? x * root : -x * root)
  }

  /// Sets the lines of all bands with codewords, and zeros in all others.
  func apply(_ channel: ParsedChannel, offsets: [Int], into lines: inout [Float]) {
    let windowLength = offsets[offsets.count - 1]
    let lineCount = windowLength * (channel.window.isShort ? 8 : 1)
    precondition(channel.spectrum.count >= lineCount && lines.count >= lineCount)
    unsafe Self.clear(&lines, lineCount)
    unsafe channel.spectrum.withUnsafeBufferPointer { spectrum in
      unsafe lines.withUnsafeMutableBufferPointer { lines in
        guard let source = spectrum.baseAddress, let target = lines.baseAddress else { return }
        channel.window.forEachBand(offsets) { band, range, _ in
          let codebook = channel.codebooks[band]
          guard Codebook.hasCodewords(codebook) else { return }
          precondition(range.upperBound <= lineCount)
          let gain = Self.gain(Int(channel.scaleFactors[band]) - 100)
          // Only escapes go beyond the table, but for pulses, which are small too.
          if codebook == Codebook.escape {
            unsafe Self.scale(source, range, by: gain, powers, into: target)
          } else {
            unsafe Self.scaleSmall(source, range, by: gain, powers, into: target)
          }
        }
      }
    }
  }

  /// As `scale`, where no magnitude exceeds that of a book without escapes and four pulses.
  private static func scaleSmall(
    _ spectrum: UnsafePointer<Int32>, _ range: Range<Int>, by gain: Float,
    _ powers: UnsafePointer<Float>, into lines: UnsafeMutablePointer<Float>
  ) {
    let powers = unsafe powers + limit
    var line = range.lowerBound
    while line < range.upperBound {
      let values = unsafe Lanes(
        powers[Int(spectrum[line])], powers[Int(spectrum[line &+ 1])],
        powers[Int(spectrum[line &+ 2])], powers[Int(spectrum[line &+ 3])])
      unsafe lines.store(values * gain, line)
      line &+= 4
    }
  }

  private static func clear(_ lines: UnsafeMutablePointer<Float>, _ count: Int) {
    for n in stride(from: 0, to: count, by: 4) { unsafe lines.store(Lanes.zero, n) }
  }

  private static func scale(
    _ spectrum: UnsafePointer<Int32>, _ range: Range<Int>, by gain: Float,
    _ powers: UnsafePointer<Float>, into lines: UnsafeMutablePointer<Float>
  ) {
    for line in range {
      let q = unsafe spectrum[line]
      // Compared as unsigned, both ends at once.
      let place = Int(q) &+ limit
      if UInt(bitPattern: place) <= UInt(2 * limit) {
        unsafe lines[line] = powers[place] * gain
      } else {
        unsafe lines[line] = power(q) * gain
      }
    }
  }
}
