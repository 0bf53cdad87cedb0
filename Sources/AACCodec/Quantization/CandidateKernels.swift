/// Measures one band at one scalefactor: what its lines cost and how far off they come out.
enum CandidateKernels {
  /// Bits in the cheaper of the two books that suit the band, and the noise energy.
  ///
  /// Lines are at `lines`, their |x|^¾ at `companded`, `count` of them (a multiple of four);
  /// `scratch` holds as many.
  @inline(__always)
  static func measure(
    _ lines: UnsafePointer<Float>, _ companded: UnsafePointer<Float>, _ count: Int,
    magnitude: Int32, step: Float, decoderStep: Float, scratch: UnsafeMutablePointer<Int32>,
    costs: UnsafePointer<UInt32>, powers: UnsafePointer<Float>
  ) -> (bits: Float, noise: Float) {
    let book = SpectrumCoder.firstBook(magnitude: magnitude)
    let noise =
      unsafe magnitude <= 2
      ? quantizeSmall(lines, companded, count, step, decoderStep, scratch)
      : quantize(lines, companded, count, step, decoderStep, scratch, powers)
    let bits = unsafe SpectrumCoder.bits(scratch, 0, count, firstBook: book, costs)
    return (Float(min(bits & 0xFFFF, bits >> 16)), noise)
  }

  /// Quantises to magnitudes of at most 2, whose powers need no table: q^(4/3) = q + 0.26·q·(q−1).
  @inline(__always)
  private static func quantizeSmall(
    _ lines: UnsafePointer<Float>, _ companded: UnsafePointer<Float>, _ count: Int, _ step: Float,
    _ decoderStep: Float, _ scratch: UnsafeMutablePointer<Int32>
  ) -> Float {
    var sum = Lanes.zero
    var n = 0
    while n < count {
      let x = unsafe lines.lanes(n)
      let rounded = unsafe companded.lanes(n) * step + Quantizer.rounding + Quantizer.magic
      unsafe store(rounded, sign: x, scratch + n)
      let q = rounded - Quantizer.magic
      let power = q + q * (q - 1) * 0.25992105
      let error = x.magnitude - power * decoderStep
      sum += error * error
      n &+= 4
    }
    return sum.total
  }

  @inline(__always)
  private static func quantize(
    _ lines: UnsafePointer<Float>, _ companded: UnsafePointer<Float>, _ count: Int, _ step: Float,
    _ decoderStep: Float, _ scratch: UnsafeMutablePointer<Int32>, _ powers: UnsafePointer<Float>
  ) -> Float {
    var sum = Lanes.zero
    var n = 0
    while n < count {
      let x = unsafe lines.lanes(n)
      let rounded = unsafe companded.lanes(n) * step + Quantizer.rounding + Quantizer.magic
      let q = unsafe store(rounded, sign: x, scratch + n)
      let power = unsafe Lanes(
        powers[Int(q[0])], powers[Int(q[1])], powers[Int(q[2])], powers[Int(q[3])])
      let error = x.magnitude - power * decoderStep
      sum += error * error
      n &+= 4
    }
    return sum.total
  }

  /// Takes the integers out of rounded floats, gives them the signs of `sign` and stores them.
  @inline(__always)
  @discardableResult
  private static func store(
    _ rounded: Lanes, sign: Lanes, _ scratch: UnsafeMutablePointer<Int32>
  ) -> SIMD4<Int32> {
    let magnitude = unsafe unsafeBitCast(rounded, to: SIMD4<Int32>.self) &- Quantizer.magicBits
    let mask = unsafe unsafeBitCast(sign, to: SIMD4<Int32>.self) &>> 31
    unsafe UnsafeMutableRawPointer(scratch).storeBytes(
      of: (magnitude ^ mask) &- mask, as: SIMD4<Int32>.self)
    return magnitude
  }
}
