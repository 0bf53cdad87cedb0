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
    _ lines: UnsafePointer<Float>, companded: UnsafePointer<Float>, count: Int, step: Float,
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

/// Measures one band at one scalefactor: the cost of its lines and their error.
enum CandidateKernels {
  /// The lines of a band, whose number is a multiple of four, and their |x|^¾.
  @unsafe
  struct Band {
    let lines, companded: UnsafePointer<Float>
    let count: Int
  }

  /// The values of `CodeTables` that are indexed by magnitudes.
  @unsafe
  struct Tables {
    let costs: UnsafePointer<UInt32>
    let powers: UnsafePointer<Float>
  }

  /// Returns the bits in the cheaper book, the noise, and the reconstructed energy of a band.
  ///
  /// Two books suit a band, depending on its magnitude.
  ///
  /// `magnitude` is the largest quantized magnitude, and `decoderStep` the step of the decoder.
  /// `scratch` has room for the band's lines.
  @inline(__always)
  static func measure(
    _ band: Band, magnitude: Int32, step: Float, decoderStep: Float, _ tables: Tables,
    scratch: UnsafeMutablePointer<UInt32>
  ) -> (bits: Float, noise: Float, energy: Float) {
    // With constant arguments, the compiler makes a separate loop for small magnitudes.
    let sums =
      unsafe magnitude <= 2
      ? quantize(
        isSmall: true, band, step: step, decoderStep: decoderStep, powers: tables.powers,
        scratch: scratch)
      : quantize(
        isSmall: false, band, step: step, decoderStep: decoderStep, powers: tables.powers,
        scratch: scratch)
    let bits = unsafe bits(scratch, count: band.count, magnitude: magnitude, costs: tables.costs)
    return (Float(Int32(bitPattern: min(bits & 0xFFFF, bits &>> 16))), sums.noise, sums.energy)
  }

  /// Quantizes lines; small magnitudes of at most 2 need no table: q^(4/3) = q + 0.26·q·(q−1).
  @inline(__always)
  private static func quantize(
    isSmall: Bool, _ band: Band, step: Float, decoderStep: Float, powers: UnsafePointer<Float>,
    scratch: UnsafeMutablePointer<UInt32>
  ) -> (noise: Float, energy: Float) {
    var noise = Lanes.zero
    var energy = Lanes.zero
    let count = unsafe band.count
    var n = 0
    while n < count {
      let rounded = unsafe band.companded.lanes(n) * step + Quantizer.rounding + Quantizer.magic
      unsafe store(rounded, scratch + n)
      let power: Lanes
      if isSmall {
        let q = rounded - Quantizer.magic
        power = q + q * (q - 1) * 0.25992105
      } else {
        power = unsafe Lanes(
          powers[Int(scratch[n])], powers[Int(scratch[n &+ 1])], powers[Int(scratch[n &+ 2])],
          powers[Int(scratch[n &+ 3])])
      }
      let value = power * decoderStep
      let error = unsafe band.lines.lanes(n).magnitude - value
      noise += error * error
      energy += value * value
      n &+= 4
    }
    return (noise.total, energy.total)
  }

  /// Extracts the integers from rounded floats and stores them.
  @inline(__always)
  private static func store(_ rounded: Lanes, _ scratch: UnsafeMutablePointer<UInt32>) {
    let magnitude = unsafe unsafeBitCast(rounded, to: SIMD4<Int32>.self) &- Quantizer.magicBits
    unsafe UnsafeMutableRawPointer(scratch).storeBytes(of: magnitude, as: SIMD4<Int32>.self)
  }

  /// Returns the bits of `count` magnitudes in the two suitable books.
  ///
  /// The low half contains the bits in the odd book, the high half those in the even book.
  ///
  /// For book 11 both halves are equal.
  @inline(__always)
  static func bits(
    _ q: UnsafePointer<UInt32>, count: Int, magnitude: Int32, costs: UnsafePointer<UInt32>
  ) -> UInt32 {
    switch magnitude {
    case ...0: 0
    case 1: unsafe quadBits(q, count: count, costs: costs + CodeTables.costs1)
    case 2: unsafe quadBits(q, count: count, costs: costs + CodeTables.costs3)
    case ...4: unsafe pairBits(q, count: count, costs: costs + CodeTables.costs5, base: 5)
    case ...7: unsafe pairBits(q, count: count, costs: costs + CodeTables.costs7, base: 8)
    case ...12: unsafe pairBits(q, count: count, costs: costs + CodeTables.costs9, base: 13)
    default: unsafe escapeBits(q, count: count, costs: costs + CodeTables.costs11)
    }
  }

  @inline(__always)
  private static func quadBits(
    _ q: UnsafePointer<UInt32>, count: Int, costs: UnsafePointer<UInt32>
  ) -> UInt32 {
    var sum: UInt32 = 0
    var n = 0
    while n < count {
      let first = unsafe q[n] &* 3 &+ q[n &+ 1]
      let second = unsafe (first &* 3 &+ q[n &+ 2]) &* 3 &+ q[n &+ 3]
      unsafe sum &+= costs[Int(second)]
      n &+= 4
    }
    return sum
  }

  @inline(__always)
  private static func pairBits(
    _ q: UnsafePointer<UInt32>, count: Int, costs: UnsafePointer<UInt32>, base: UInt32
  ) -> UInt32 {
    var sum: UInt32 = 0
    var n = 0
    while n < count {
      unsafe sum &+= costs[Int(q[n] &* base &+ q[n &+ 1])]
      n &+= 2
    }
    return sum
  }

  @inline(__always)
  private static func escapeBits(
    _ q: UnsafePointer<UInt32>, count: Int, costs: UnsafePointer<UInt32>
  ) -> UInt32 {
    var sum: UInt32 = 0
    var n = 0
    while n < count {
      let (a, b) = unsafe (q[n], q[n &+ 1])
      unsafe sum &+= costs[Int(min(a, 16) &* 17 &+ min(b, 16))]
      if a | b >= 16 {
        let first = Codebook.escapeLength(Int32(bitPattern: a))
        let second = Codebook.escapeLength(Int32(bitPattern: b))
        sum &+= (first &+ second) &* 0x1_0001
      }
      n &+= 2
    }
    return sum
  }
}
