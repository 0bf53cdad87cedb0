import AacornSignal

/// Recombines QMF bands: each is the sum of its parts (ISO/IEC 14496-3, 8.6.4.3).
enum HybridSynthesis {
  /// Writes the QMF bands of `hybrid`, real or imaginary parts, to a frame from row `row` on.
  static func join(
    _ hybrid: [Float], slotCount: Int, _ layout: HybridLayout, into frame: inout [Float],
    at row: Int = 0
  ) {
    precondition(hybrid.count >= (slotCount + HybridFrame.history) * HybridFrame.stride)
    precondition(row >= 0 && frame.count >= (row + slotCount) * 64)
    if layout.bandCount == 34 {
      unsafe joinThirtyFour(hybrid, slotCount, &frame, row)
    } else {
      unsafe joinTwenty(hybrid, slotCount, &frame, row)
    }
  }

  /// Adds lanes 0...5, 8...9 and 10...11, and copies lane 6.
  private static func joinTwenty(
    _ hybrid: UnsafePointer<Float>, _ slotCount: Int, _ frame: UnsafeMutablePointer<Float>,
    _ row: Int
  ) {
    for slot in 0..<slotCount {
      let x = unsafe hybrid + (slot &+ HybridFrame.history) &* HybridFrame.stride
      let (a, b, c) = unsafe (x.lanes(0), x.lanes(4), x.lanes(8))
      let low = (a.lowHalf + a.highHalf) + b.lowHalf
      let pairs = c.evenHalf + c.oddHalf
      unsafe frame.store(Lanes(low[0] + low[1], pairs[0], pairs[1], b[2]), (row &+ slot) &* 64)
    }
  }

  /// Adds lanes 0...11, 12...19 and three times four lanes, and copies lanes 32...34.
  private static func joinThirtyFour(
    _ hybrid: UnsafePointer<Float>, _ slotCount: Int, _ frame: UnsafeMutablePointer<Float>,
    _ row: Int
  ) {
    for slot in 0..<slotCount {
      let x = unsafe hybrid + (slot &+ HybridFrame.history) &* HybridFrame.stride
      let first = unsafe x.lanes(0) + x.lanes(4) + x.lanes(8)
      let second = unsafe x.lanes(12) + x.lanes(16)
      let columns = unsafe Lanes.transposed(first, second, x.lanes(20), x.lanes(24))
      unsafe frame.store((columns.0 + columns.1) + (columns.2 + columns.3), (row &+ slot) &* 64)
      let (fifth, rest) = unsafe (x.lanes(28), x.lanes(32))
      unsafe frame.store(Lanes(fifth.total, rest[0], rest[1], rest[2]), (row &+ slot) &* 64 &+ 4)
    }
  }
}

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
