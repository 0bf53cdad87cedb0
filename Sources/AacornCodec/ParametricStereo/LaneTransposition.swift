import AacornSignal

extension SIMD4<Float> {
  /// Returns the columns of the matrix with the given rows.
  @inline(__always)
  static func transposed(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    let columns = LaneSquare(a, b, c, d).transposed
    return (columns.a, columns.b, columns.c, columns.d)
  }
}
