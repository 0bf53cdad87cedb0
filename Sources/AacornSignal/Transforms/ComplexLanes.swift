/// Four complex numbers side by side.
struct ComplexLanes {
  var re, im: Lanes

  @inline(__always)
  init(_ re: Lanes, _ im: Lanes) {
    self.re = re
    self.im = im
  }

  @inline(__always)
  static func + (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.re + b.re, a.im + b.im)
  }

  @inline(__always)
  static func - (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.re - b.re, a.im - b.im)
  }

  @inline(__always)
  static func * (a: ComplexLanes, factor: Float) -> ComplexLanes {
    ComplexLanes(a.re * factor, a.im * factor)
  }

  /// Returns the product with c + i·s.
  @inline(__always)
  func rotated(_ c: Lanes, _ s: Lanes) -> ComplexLanes {
    ComplexLanes(re * c - im * s, re * s + im * c)
  }

  /// The product with −i.
  @inline(__always)
  var timesMinusI: ComplexLanes { ComplexLanes(im, Lanes.zero - re) }
}
