import AacornSignal

/// A complex number in each lane.
struct ComplexValue {
  var re, im: Lanes

  @inline(__always)
  init(_ re: Lanes, _ im: Lanes) {
    self.re = re
    self.im = im
  }

  /// Loads the values at an offset that need not be a multiple of four.
  @inline(__always)
  init(_ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ offset: Int) {
    re = unsafe real.lanes(offset)
    im = unsafe imaginary.lanes(offset)
  }

  @inline(__always)
  var square: Lanes { re * re + im * im }

  @inline(__always)
  func times(_ other: ComplexValue) -> ComplexValue {
    ComplexValue(re * other.re - im * other.im, re * other.im + im * other.re)
  }

  /// Returns the product with the conjugate of another value.
  @inline(__always)
  func timesConjugate(of other: ComplexValue) -> ComplexValue {
    ComplexValue(re * other.re + im * other.im, im * other.re - re * other.im)
  }

  @inline(__always)
  mutating func add(_ other: ComplexValue) {
    re += other.re
    im += other.im
  }
}
