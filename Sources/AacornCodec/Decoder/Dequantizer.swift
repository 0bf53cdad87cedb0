import AacornSignal

/// Dequantizes lines: x = sign q · |q|^(4/3) · 2^((s − 100)/4).
///
/// ISO/IEC 14496-3, 4.6.1.3 and 4.6.2.3.3.
struct Dequantizer: Sendable {
  /// The table of powers covers −`powerTableLimit`..<`powerTableLimit`.
  private static let powerTableLimit = 128
  /// q^(4/3) for −`powerTableLimit`..<`powerTableLimit`.
  private let powers: [Float]
  /// The gains of scalefactors 0…255, the whole range of the bitstream.
  private let gains: [Float]

  init() {
    powers = (-Self.powerTableLimit..<Self.powerTableLimit).map { Self.power(Int32($0)) }
    gains = (0...255).map { Self.gain($0 - 100) }
  }

  /// Returns 2^(index/4) with an exponent clamped to ±100, far beyond any legal value.
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

  /// Returns sign q · |q|^(4/3) for magnitudes up to 8191 plus a pulse of 15.
  static func power(_ q: Int32) -> Float {
    if q == 0 { return 0 }
    let x = Double(abs(q))
    // |q|^(1/3) by Newton's iteration, whose error is squared at each step.
    var root = Double(ElementaryFunctions.exp2(ElementaryFunctions.log2(Float(x)) / 3))
    for _ in 0..<2 { root -= (root * root * root - x) / (3 * root * root) }
    return Float(q > 0 ? x * root : -x * root)
  }

  /// Writes the dequantized lines of all bands with codewords, and zeros in all other bands.
  func apply(_ channel: ParsedChannel, offsets: [Int], into lines: inout [Float]) {
    let windowLength = offsets[offsets.count - 1]
    let lineCount = windowLength * (channel.window.isShort ? 8 : 1)
    precondition(channel.spectrum.count >= lineCount && lines.count >= lineCount)
    unsafe channel.spectrum.withUnsafeBufferPointer { spectrum in
      unsafe lines.withUnsafeMutableBufferPointer { lines in
        guard let source = spectrum.baseAddress, let target = lines.baseAddress else { return }
        unsafe target.update(repeating: 0, count: lineCount)
        channel.window.forEachBand { band, number, windows in
          let codebook = channel.codebooks[band]
          guard Codebook.hasCodewords(codebook) else { return }
          let gain = gain(ofScaleFactor: Int(channel.scaleFactors[band]))
          var lines = offsets[number]..<offsets[number + 1]
          precondition(
            lines.upperBound <= windowLength && windows.upperBound * windowLength <= lineCount)
          lines = lines.shifted(by: windows.lowerBound * windowLength)
          for _ in windows {
            // Only the escapes of book 11 exceed the table: other books reach 12, and pulses add at
            // most 60.
            if codebook == Codebook.escape {
              unsafe Self.scale(
                isSmall: false, source, in: lines, by: gain, powers: powers, into: target)
            } else {
              unsafe Self.scale(
                isSmall: true, source, in: lines, by: gain, powers: powers, into: target)
            }
            lines = lines.shifted(by: windowLength)
          }
        }
      }
    }
  }

  private func gain(ofScaleFactor value: Int) -> Float {
    gains.indices.contains(value) ? gains[value] : Self.gain(value - 100)
  }

  /// Scales the lines of a band in one window; its width is a multiple of four.
  @inline(__always)
  private static func scale(
    isSmall: Bool, _ spectrum: UnsafePointer<Int16>, in range: Range<Int>, by gain: Float,
    powers: UnsafePointer<Float>, into lines: UnsafeMutablePointer<Float>
  ) {
    let powers = unsafe powers + powerTableLimit
    var line = range.lowerBound
    while line < range.upperBound {
      let (a, b) = unsafe (Int(spectrum[line]), Int(spectrum[line &+ 1]))
      let (c, d) = unsafe (Int(spectrum[line &+ 2]), Int(spectrum[line &+ 3]))
      let values: Lanes
      // One OR checks all four: as an unsigned number it is at least as large as each of them.
      if isSmall
        || UInt(
          bitPattern: (a &+ powerTableLimit) | (b &+ powerTableLimit) | (c &+ powerTableLimit)
            | (d &+ powerTableLimit)) <= 255
      {
        values = unsafe Lanes(powers[a], powers[b], powers[c], powers[d])
      } else {
        values = Lanes(
          power(Int32(a)), power(Int32(b)), power(Int32(c)), power(Int32(d)))
      }
      unsafe lines.store(values * gain, line)
      line &+= 4
    }
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> {
    lowerBound &+ distance..<upperBound &+ distance
  }
}
