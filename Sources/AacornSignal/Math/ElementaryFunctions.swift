/// Sines, logarithms and powers, computed with additions, multiplications and divisions only.
///
/// A platform's math library may round the last bit differently, and Embedded Swift has none. IEEE
/// 754 specifies + − × ÷ exactly. So these functions, and the resamplers, encoder and spectra built
/// on them, return the same bits everywhere.
@usableFromInline
package enum ElementaryFunctions {
  /// Returns (sin πt, cos πt) for 0 ≤ t ≤ 2, to about 1e−15.
  package static func sinCosPi(_ turn: Double) -> (sin: Double, cos: Double) {
    // Reduce to the nearest quarter turn, where the series converge fast.
    let quarter = Int(turn * 2 + 0.5)
    let x = (turn - Double(quarter) * 0.5) * Double.pi
    let square = x * x
    var sine = 0.0
    var cosine = 0.0
    var k = 20.0
    while k > 1 {
      sine = (1 - sine) * square / (k * (k + 1))
      cosine = (1 - cosine) * square / (k * (k - 1))
      k -= 2
    }
    sine = x * (1 - sine)
    cosine = 1 - cosine
    switch quarter & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// Returns sin(πx) / πx, or 1 at 0, for |x| < 2^30.
  static func sinc(_ x: Double) -> Double {
    let magnitude = abs(x)
    // Below this the quotient rounds to 1.
    guard magnitude > 1e-9 else { return 1 }
    let turn = magnitude - 2 * Double(Int(magnitude / 2))
    return sinCosPi(turn).sin / (Double.pi * magnitude)
  }

  /// Returns the modified Bessel function of the first kind, order zero: I₀(√x) for 0 ≤ x < 10⁴.
  ///
  /// The series is in the square of the argument, so no square root is needed; in debug builds on
  /// Linux a square root is a call into the math library.
  package static func besselI0(ofSquareRootOf x: Double) -> Double {
    // Σ ((x/4)^k / k!²); every term is positive, so nothing cancels.
    let quarter = x / 4
    var sum = 1.0
    var term = 1.0
    var k = 1.0
    while term > sum * 1e-17 {
      term *= quarter / (k * k)
      sum += term
      k += 1
    }
    return sum
  }

  /// Returns x^(−¼) of four numbers ≥ 0, to about 1.5e−5 relative; for 0 a large finite number.
  ///
  /// A quarter of the exponent, negated, is a first guess good to 3 %, and each step of Newton's
  /// iteration y ← y·(5 − x·y⁴)/4 squares the error. Square roots would leave the vector unit.
  @inlinable @inline(__always)
  package static func inverseFourthRoot(_ x: Lanes) -> Lanes {
    // Far below any audible level, but large enough for fourth powers to stay finite.
    let minimum = Lanes(repeating: 1e-30)
    let bounded = x.raised(to: minimum)
    let bits = unsafe unsafeBitCast(bounded, to: SIMD4<UInt32>.self)
    let start = SIMD4<UInt32>(repeating: 0x4F58_4000) &- (bits &>> 2)
    let y = unsafe unsafeBitCast(start, to: Lanes.self)
    let quarter = bounded * 0.25
    let square = y * y
    let z = y * (1.25 - (square * square) * quarter)
    let nearer = z * z
    return z * (1.25 - (nearer * nearer) * quarter)
  }

  /// Returns log₂ x for normal x > 0, to about 1e−6.
  @inlinable @inline(__always)
  package static func log2(_ x: Float) -> Float {
    log2(Lanes(repeating: x))[0]
  }

  /// Returns log₂ of four normal numbers > 0.
  ///
  /// With m the mantissa scaled to √½…√2 and t = (m−1)/(m+1), log₂ m = 2/ln 2 · (t + t³/3 + …).
  @inlinable @inline(__always)
  package static func log2(_ x: Lanes) -> Lanes {
    let bits = unsafe unsafeBitCast(x, to: SIMD4<Int32>.self)
    // Moving the exponent's step to √2 keeps m centered on 1.
    let shifted = bits &- 0x3F35_04F3
    let exponent = shifted &>> 23
    let mantissaBits = (shifted & 0x007F_FFFF) &+ 0x3F35_04F3
    let mantissa = unsafe unsafeBitCast(mantissaBits, to: Lanes.self)
    let t = (mantissa - 1) / (mantissa + 1)
    let square = t * t
    let series = ((square * 0.4121985831 + 0.5770780164) * square + 0.9617966939) * square
    return (series + 2.885390082) * t + small(exponent)
  }

  /// Returns 2ˣ for −126 ≤ x ≤ 127, to about 1e−6 relative; outside that range x is clamped.
  @inlinable @inline(__always)
  package static func exp2(_ x: Float) -> Float {
    exp2(Lanes(repeating: x))[0]
  }

  /// Returns 2ˣ of four numbers.
  @inlinable @inline(__always)
  package static func exp2(_ x: Lanes) -> Lanes {
    let low = Lanes(repeating: -126)
    let high = Lanes(repeating: 127)
    let bounded = x.replacing(with: low, where: x .< low)
    let clamped = bounded.replacing(with: high, where: bounded .> high)
    // Adding 1.5·2²³ rounds to a whole number and leaves it in the low bits.
    let magic = clamped + 12_582_912
    let whole = unsafe unsafeBitCast(magic, to: SIMD4<Int32>.self) &- 0x4B40_0000
    let f = (clamped - (magic - 12_582_912)) * 0.6931471806
    let a = ((f * 0.001388889 + 0.008333334) * f + 0.04166667) * f + 0.1666667
    let series = ((a * f + 0.5) * f + 1) * f + 1
    let scale = (whole &+ 127) &<< 23
    return unsafe series * unsafeBitCast(scale, to: Lanes.self)
  }

  /// Returns four integers of at most 22 bits as floats: the rounding trick of `exp2` in reverse.
  @inlinable @inline(__always)
  package static func small(_ value: SIMD4<Int32>) -> Lanes {
    unsafe unsafeBitCast(value &+ 0x4B40_0000, to: Lanes.self) - 12_582_912
  }

  /// Returns log₂ x for normal x > 0, to about 1e−12: for display and settings, not for loops.
  package static func preciseLog2(_ x: Double) -> Double {
    let bits = x.bitPattern
    var exponent = Int(bits >> 52 & 0x7FF) - 1023
    var significand = Double(bitPattern: bits & 0xF_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    // Center the significand on 1, where the series is short.
    if significand > 1.414_213_562_373_095 {
      significand /= 2
      exponent += 1
    }
    // ln m = 2 (z + z³/3 + z⁵/5 + …) with z = (m − 1) / (m + 1), here at most 0.172.
    let z = (significand - 1) / (significand + 1)
    let square = z * z
    var sum = 0.0
    var order = 15.0
    while order > 0 {
      sum = sum * square + 1 / order
      order -= 2
    }
    // 2 / ln 2.
    return Double(exponent) + 2.885_390_081_777_926_8 * z * sum
  }

  /// Returns 2ˣ for −1022 ≤ x < 1023, to about 2e−15 relative: for display, not for loops.
  package static func preciseExp2(_ x: Double) -> Double {
    var whole = Int(x)
    if Double(whole) > x { whole -= 1 }
    // eᶠ = 1 + f + f²/2! + … with f = (x − ⌊x⌋) ln 2.
    let f = (x - Double(whole)) * 0.693_147_180_559_945_3
    var term = 1.0
    var sum = 1.0
    var k = 1.0
    while k <= 14 {
      term *= f / k
      sum += term
      k += 1
    }
    return sum * Double(bitPattern: UInt64(1023 + whole) << 52)
  }

  /// Returns the `degree`th root of 1 ≤ x ≤ 1.5^`degree`, by Newton's iteration from above.
  package static func root(_ x: Double, degree: Int) -> Double {
    var root = 1.5
    for _ in 0..<200 {
      var power = 1.0
      for _ in 1..<degree { power *= root }
      root -= (root * power - x) / (Double(degree) * power)
    }
    return root
  }
}

extension FixedWidthInteger {
  /// Returns a time in units of 1/`rate` s as a time in units of 1/`newRate` s, rounded toward 0.
  ///
  /// The division is split so that only the result and the product of the rates must fit the type;
  /// otherwise the result wraps.
  @inlinable
  package func rescaled(from rate: Self, to newRate: Self) -> Self {
    let (seconds, rest) = quotientAndRemainder(dividingBy: rate)
    return seconds &* newRate &+ rest &* newRate / rate
  }
}
