import AacornSignal

extension SIMD4<Float> {
  /// The columns of the matrix whose rows are given.
  @inline(__always)
  static func transposed(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    let low = Lanes(a[0], b[0], a[1], b[1])
    let high = Lanes(a[2], b[2], a[3], b[3])
    let lowNext = Lanes(c[0], d[0], c[1], d[1])
    let highNext = Lanes(c[2], d[2], c[3], d[3])
    return (
      Lanes(lowHalf: low.lowHalf, highHalf: lowNext.lowHalf),
      Lanes(lowHalf: low.highHalf, highHalf: lowNext.highHalf),
      Lanes(lowHalf: high.lowHalf, highHalf: highNext.lowHalf),
      Lanes(lowHalf: high.highHalf, highHalf: highNext.highHalf)
    )
  }
}
