/// The non-uniform quantiser of ISO/IEC 14496-3, 4.6.2: q = ⌊|x|^¾·2^(−3/16·(sf−100)) + 0.4054⌋.
enum Quantizer {
  /// The largest magnitude a stream may carry.
  static let limit: Int32 = 8191

  /// Added to the companded value before rounding to nearest: 0.4054 − ½, which centres the
  /// decision threshold for a power law instead of a straight line.
  static let rounding: Float = -0.0946

  /// The magnitude that a companded value becomes.
  @inline(__always)
  static func magnitude(_ companded: Float, _ step: Float) -> Int32 {
    magnitudes(Lanes(repeating: companded), step)[0]
  }

  /// The magnitudes of four companded values; adding 1.5·2²³ rounds to the nearest integer.
  @inline(__always)
  static func magnitudes(_ companded: Lanes, _ step: Float) -> SIMD4<Int32> {
    let rounded = companded * step + (rounding + 0) + 12_582_912
    return unsafe unsafeBitCast(rounded, to: SIMD4<Int32>.self) &- 0x4B40_0000
  }

  /// Quantises lines `start`..<`end`, with their signs, into `quantized` at `at`.
  @inline(__always)
  static func quantize(
    _ lines: UnsafePointer<Float>, _ companded: UnsafePointer<Float>, _ start: Int, _ end: Int,
    step: Float, into quantized: UnsafeMutablePointer<Int32>, at: Int
  ) {
    var n = start
    while n < end {
      let magnitude = unsafe magnitudes(companded.lanes(n), step)
      let sign = unsafe unsafeBitCast(lines.lanes(n), to: SIMD4<Int32>.self) &>> 31
      let value = (magnitude ^ sign) &- sign
      unsafe UnsafeMutableRawPointer(quantized + at + n - start)
        .storeBytes(of: value, as: SIMD4<Int32>.self)
      n += 4
    }
  }

  /// The lowest scalefactor at which a band's largest companded value stays within the limit.
  static func lowestScaleFactor(peak: Float) -> Int32 {
    guard peak > 0 else { return 0 }
    // 2^(3/16·(100 − sf))·peak ≤ 8191, solved for sf, with a little room for rounding.
    let exact = 100 + (ElementaryFunctions.log2(peak) - 12.9995) * (16.0 / 3)
    return max(0, Int32(exact) + 1)
  }

  /// Σ (|x| − q^(4/3)·2^((sf−100)/4))² over lines `start`..<`end`, for `magnitude`s at `at`.
  @inline(__always)
  static func distortion(
    _ lines: UnsafePointer<Float>, _ start: Int, _ end: Int,
    _ quantized: UnsafePointer<Int32>, at: Int, _ powers: UnsafePointer<Float>, decoderStep: Float
  ) -> Float {
    var sum = Lanes.zero
    var n = start
    var i = at
    while n < end {
      let x = unsafe lines.lanes(n).magnitude
      let q = unsafe Lanes(
        powers[Int(abs(quantized[i]))], powers[Int(abs(quantized[i + 1]))],
        powers[Int(abs(quantized[i + 2]))], powers[Int(abs(quantized[i + 3]))])
      let error = x - q * decoderStep
      sum += error * error
      n += 4
      i += 4
    }
    return sum.total
  }
}
