import AacornSignal

/// The non-uniform quantizer of ISO/IEC 14496-3, 4.6.2: q = ⌊|x|^¾·2^(−3/16·(sf−100)) + 0.4054⌋.
enum Quantizer {
  /// The value added to a companded value before rounding to nearest: 0.4054 − ½.
  ///
  /// It centers the decision threshold for a power law instead of a straight line.
  static let rounding: Float = -0.0946
  /// 1.5·2²³: adding it rounds to the nearest integer, which is then in the low bits.
  static let magic: Float = 12_582_912
  /// The bit pattern of `magic`.
  static let magicBits: Int32 = 0x4B40_0000

  /// Returns the magnitude to which a companded value is quantized.
  @inline(__always)
  static func magnitude(_ companded: Float, _ step: Float) -> Int32 {
    Int32(bitPattern: (companded * step + rounding + magic).bitPattern) &- magicBits
  }

  /// Quantizes `count` lines (a multiple of four), including their signs.
  @inline(__always)
  static func quantize(
    _ lines: UnsafePointer<Float>, _ companded: UnsafePointer<Float>, _ count: Int, step: Float,
    into quantized: UnsafeMutablePointer<Int32>
  ) {
    var n = 0
    while n < count {
      let rounded = unsafe companded.lanes(n) * step + rounding + magic
      let magnitude = unsafe unsafeBitCast(rounded, to: SIMD4<Int32>.self) &- magicBits
      let sign = unsafe unsafeBitCast(lines.lanes(n), to: SIMD4<Int32>.self) &>> 31
      unsafe UnsafeMutableRawPointer(quantized + n).storeBytes(
        of: (magnitude ^ sign) &- sign, as: SIMD4<Int32>.self)
      n &+= 4
    }
  }

  /// Returns the lowest scalefactors that keep the bands' largest companded values within ±8191.
  ///
  /// 2^(3/16·(100 − sf))·peak ≤ 8191, solved for sf, with a small margin for rounding; `logPeaks`
  /// are log₂ of the peaks.
  @inline(__always)
  static func lowestScaleFactors(logPeaks: Lanes) -> SIMD4<Int32> {
    // Adding half a step before rounding to nearest rounds up.
    let exact = 100.5 + (logPeaks - 12.9995) * (16.0 / 3)
    let rounded = exact.raised(to: .zero) + magic
    return unsafe unsafeBitCast(rounded, to: SIMD4<Int32>.self) &- magicBits
  }
}
