/// The few functions that filter design needs, from additions and multiplications only.
///
/// A system's mathematical library differs in its last bits from one platform to the next, and
/// Embedded Swift has none. IEEE 754 fixes + − × ÷, so these give the same bits everywhere.
enum ElementaryFunctions {
  /// sin(πx) for 0 ≤ x < 2^30, to within about one unit in the last place of 1.
  static func sinPi(_ x: Double) -> Double {
    let turns = Int(x + 0.5)
    let angle = (x - Double(turns)) * Double.pi
    // Taylor's series; for |angle| ≤ π/2 the first omitted term, angle^23/23!, is below 2^-59.
    let square = angle * angle
    var sum = 1.0
    var factor = 20.0
    while factor > 0 {
      sum = 1 - square / (factor * (factor + 1)) * sum
      factor -= 2
    }
    return turns & 1 == 0 ? angle * sum : -angle * sum
  }

  /// sin(πx) / πx, and 1 at 0, for |x| < 2^30.
  static func sinc(_ x: Double) -> Double {
    let magnitude = abs(x)
    // Below this the quotient rounds to 1.
    guard magnitude > 1e-9 else { return 1 }
    return sinPi(magnitude) / (Double.pi * magnitude)
  }

  /// The modified Bessel function of the first kind and order zero, I₀(√x), for 0 ≤ x < 10⁴.
  ///
  /// It is a series in the square of its argument, so the square root need not be taken; in debug
  /// builds on Linux a square root is a call of the mathematical library.
  static func besselI0(ofSquareRootOf x: Double) -> Double {
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
}
