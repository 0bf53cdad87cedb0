/// The vector width of every target: four floats (SSE2, NEON, WebAssembly SIMD).
///
/// Four explicit lanes, rather than the compiler's choice, keep sums in one fixed order, so that
/// every platform computes the same bits.
@usableFromInline
package typealias Lanes = SIMD4<Float>

extension UnsafePointer<Float> {
  /// Loads four floats from an offset that need not be a multiple of four.
  @inlinable @inline(__always)
  package func lanes(_ offset: Int) -> Lanes {
    unsafe UnsafeRawPointer(self + offset).loadUnaligned(as: Lanes.self)
  }
}

extension UnsafeMutablePointer<Float> {
  /// Loads four floats from an offset that need not be a multiple of four.
  @inlinable @inline(__always)
  package func lanes(_ offset: Int) -> Lanes {
    unsafe UnsafeRawPointer(self + offset).loadUnaligned(as: Lanes.self)
  }

  /// Stores four floats at an offset that need not be a multiple of four.
  @inlinable @inline(__always)
  package func store(_ value: Lanes, _ offset: Int) {
    unsafe UnsafeMutableRawPointer(self + offset).storeBytes(of: value, as: Lanes.self)
  }
}

extension SIMD4<Float> {
  /// The four values in the opposite order.
  @inlinable @inline(__always)
  package var mirrored: Lanes { Lanes(self[3], self[2], self[1], self[0]) }

  /// The sum of the four values, pairwise, in a fixed order.
  @inlinable @inline(__always)
  package var total: Float { (self[0] + self[2]) + (self[1] + self[3]) }

  /// The largest of the four values.
  @inlinable @inline(__always)
  package var largest: Float {
    let a = self[0] > self[2] ? self[0] : self[2]
    let b = self[1] > self[3] ? self[1] : self[3]
    return a > b ? a : b
  }

  /// Returns the larger of each value and the value in `bound`.
  @inlinable @inline(__always)
  package func raised(to bound: Lanes) -> Lanes { replacing(with: bound, where: bound .> self) }

  /// Returns the smaller of each value and the value in `bound`.
  @inlinable @inline(__always)
  package func lowered(to bound: Lanes) -> Lanes { replacing(with: bound, where: bound .< self) }

  /// Returns each value, clamped to `low`…`high`.
  @inlinable @inline(__always)
  package func clamped(from low: Float, to high: Float) -> Lanes {
    raised(to: Lanes(repeating: low)).lowered(to: Lanes(repeating: high))
  }

  /// The absolute value of each lane.
  @inlinable @inline(__always)
  package var magnitude: Lanes {
    let bits = unsafe unsafeBitCast(self, to: SIMD4<UInt32>.self)
    return unsafe unsafeBitCast(bits & 0x7FFF_FFFF, to: Lanes.self)
  }

  /// Returns the maximum magnitude of samples; NaN does not count.
  package static func peak(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
    var (high, low) = (Lanes.zero, Lanes.zero)
    var n = 0
    while n &+ 16 <= count {
      let (a, b) = unsafe (samples.lanes(n), samples.lanes(n &+ 4))
      let (c, d) = unsafe (samples.lanes(n &+ 8), samples.lanes(n &+ 12))
      high = high.raised(to: a).raised(to: b).raised(to: c).raised(to: d)
      low = low.lowered(to: a).lowered(to: b).lowered(to: c).lowered(to: d)
      n &+= 16
    }
    var peak = high.raised(to: Lanes.zero - low).largest
    while n < count {
      let magnitude = unsafe samples[n].magnitude
      peak = magnitude > peak ? magnitude : peak
      n &+= 1
    }
    return peak
  }
}

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
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, at offset: Int
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
