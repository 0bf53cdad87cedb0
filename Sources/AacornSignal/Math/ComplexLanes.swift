/// Four complex numbers side by side.
@usableFromInline
@frozen
package struct ComplexLanes {
  @usableFromInline package var re, im: Lanes

  /// Creates numbers from their parts.
  @inlinable @inline(__always)
  package init(_ re: Lanes, _ im: Lanes) {
    self.re = re
    self.im = im
  }

  /// Loads numbers at an offset that need not be a multiple of four.
  @inlinable @inline(__always)
  package init(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ offset: Int
  ) {
    re = unsafe real.lanes(offset)
    im = unsafe imaginary.lanes(offset)
  }

  /// The squares of the absolute values.
  @inlinable @inline(__always)
  package var square: Lanes { re * re + im * im }

  /// The product with −i.
  @inlinable @inline(__always)
  package var timesMinusI: ComplexLanes { ComplexLanes(im, Lanes.zero - re) }

  /// Returns the product with the conjugate of `other`.
  @inlinable @inline(__always)
  package func timesConjugate(of other: ComplexLanes) -> ComplexLanes {
    ComplexLanes(re * other.re + im * other.im, im * other.re - re * other.im)
  }

  @inlinable @inline(__always)
  package static func + (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.re + b.re, a.im + b.im)
  }

  @inlinable @inline(__always)
  package static func - (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.re - b.re, a.im - b.im)
  }

  @inlinable @inline(__always)
  package static func * (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }

  @inlinable @inline(__always)
  package static func * (a: ComplexLanes, factor: Float) -> ComplexLanes {
    ComplexLanes(a.re * factor, a.im * factor)
  }

  @inlinable @inline(__always)
  package static func += (a: inout ComplexLanes, b: ComplexLanes) { a = a + b }
}
