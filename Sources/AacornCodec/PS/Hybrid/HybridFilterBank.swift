import AacornSignal

/// Splits the lowest QMF bands to the frequency resolution of hearing (ISO/IEC 14496-3, 8.6.4.3).
///
/// The filters reach six slots to either side. Six slots before a frame are stored; the slots after
/// it are the look-ahead of the QMF bands, so the filters add no delay.
struct HybridFilterBank: Sendable {
  private let eightOfTwenty = HybridFilter(StereoTables.eightOfTwenty, parts: 8)
  private let twelveOfThirtyFour = HybridFilter(StereoTables.twelveOfThirtyFour, parts: 12)
  private let eightOfThirtyFour = HybridFilter(StereoTables.eightOfThirtyFour, parts: 8)
  private let fourOfThirtyFour = HybridFilter(StereoTables.fourOfThirtyFour, parts: 4)
  /// Real and imaginary parts of five bands: slot n of part p of band b is at (2b + p) · 48 + n + 6.
  private var columns = [Float](repeating: 0, count: 10 * 48)
  /// The folded taps, see `HybridFilter.fold`.
  private var sums = [Float](repeating: 0, count: 26 * 4)
  /// The real, then the imaginary parts of 36 lanes in four slots.
  private var rows = [Float](repeating: 0, count: 2 * 36 * 4)

  /// Splits the low bands of a frame into the lanes of `hybrid`.
  mutating func split(
    _ frame: QMFFrame, slotCount: Int, _ layout: HybridLayout, into hybrid: inout HybridFrame
  ) {
    precondition(frame.real.count >= 38 * 64 && frame.imaginary.count >= 38 * 64)
    precondition(slotCount >= 6 && slotCount <= 32)
    unsafe Self.collect(frame.real, frame.imaginary, from: 0, slots: 0..<38, into: &columns)
    for slot in stride(from: 0, to: slotCount, by: 4) {
      if layout.bandCount == 34 {
        unsafe Self.splitForThirtyFour(
          columns, at: slot, twelve: twelveOfThirtyFour, eight: eightOfThirtyFour,
          four: fourOfThirtyFour, sums: &sums, into: &rows)
      } else {
        unsafe Self.splitForTwenty(columns, at: slot, by: eightOfTwenty, sums: &sums, into: &rows)
      }
      let groups = layout.bandCount == 34 ? 8 : 3
      let row = slot + HybridFrame.history
      unsafe Self.transpose(
        rows, groups: groups, at: row, real: &hybrid.real, imaginary: &hybrid.imaginary)
    }
    if layout.bandCount == 34 {
      unsafe Self.copyUnsplit(frame.real, to: &hybrid.real, slotCount: slotCount)
      unsafe Self.copyUnsplit(frame.imaginary, to: &hybrid.imaginary, slotCount: slotCount)
    }
    for column in 0..<10 {
      for n in 0..<6 { columns[column * 48 + n] = columns[column * 48 + slotCount + n] }
    }
  }

  /// Divides the 32 slots that start at row `first` into the lanes for 20 bands, which start at
  /// `row`.
  ///
  /// The rows include the six slots to either side, so no state is needed.
  mutating func splitIntoTwentyBands(
    _ real: [Float], _ imaginary: [Float], from first: Int, into lowReal: inout [Float],
    lowImaginary: inout [Float], at row: Int
  ) {
    precondition(first >= 6 && row >= 0)
    precondition(real.count >= (first + 38) * 64 && imaginary.count >= (first + 38) * 64)
    precondition(lowReal.count >= (row + 32) * HybridFrame.stride)
    precondition(lowImaginary.count >= (row + 32) * HybridFrame.stride)
    unsafe Self.collect(real, imaginary, from: first, slots: -6..<38, into: &columns)
    for slot in stride(from: 0, to: 32, by: 4) {
      unsafe Self.splitForTwenty(columns, at: slot, by: eightOfTwenty, sums: &sums, into: &rows)
      unsafe Self.transpose(
        rows, groups: 3, at: row + slot, real: &lowReal, imaginary: &lowImaginary)
    }
  }

  mutating func reset() {
    for index in columns.indices { columns[index] = 0 }
  }

  /// Collects slots of each of the five lowest bands; slot 0 is the row `first`.
  private static func collect(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, from first: Int,
    slots: Range<Int>, into columns: UnsafeMutablePointer<Float>
  ) {
    for slot in slots {
      let row = (first &+ slot) &* 64
      for band in 0..<5 {
        unsafe columns[band &* 96 &+ slot &+ 6] = real[row &+ band]
        unsafe columns[band &* 96 &+ 54 &+ slot] = imaginary[row &+ band]
      }
    }
  }

  /// Splits bands 0 to 2 into lanes 0...5 and 8...11, and copies band 3 into lane 6.
  private static func splitForTwenty(
    _ columns: UnsafePointer<Float>, at slot: Int, by eight: HybridFilter,
    sums: UnsafeMutablePointer<Float>, into rows: UnsafeMutablePointer<Float>
  ) {
    unsafe HybridFilter.fold(columns + slot, columns + (48 &+ slot), into: sums)
    let inner = unsafe eight.pair(0, sums)
    let outer = unsafe eight.pair(1, sums)
    let fourth = unsafe eight.pair(2, sums)
    let fifth = unsafe eight.pair(3, sums)
    unsafe store(outer.high, outer.highIm, lane: 0, in: rows)
    unsafe store(inner.high, inner.highIm, lane: 1, in: rows)
    unsafe store(inner.low, inner.lowIm, lane: 2, in: rows)
    unsafe store(outer.low, outer.lowIm, lane: 3, in: rows)
    unsafe store(fourth.low + fourth.high, fourth.lowIm + fourth.highIm, lane: 4, in: rows)
    unsafe store(fifth.low + fifth.high, fifth.lowIm + fifth.highIm, lane: 5, in: rows)
    let third = unsafe columns + (288 &+ slot &+ 6)
    unsafe store(third.lanes(0), third.lanes(48), lane: 6, in: rows)
    unsafe store(.zero, .zero, lane: 7, in: rows)
    for band in 1...2 {
      let (even, odd) = unsafe halves(columns + (band &* 96 &+ slot))
      let (evenIm, oddIm) = unsafe halves(columns + (band &* 96 &+ 48 &+ slot))
      // The upper half of band 1 has the lower frequency.
      let lower = band == 1 ? 9 : 10
      unsafe store(even + odd, evenIm + oddIm, lane: lower, in: rows)
      unsafe store(even - odd, evenIm - oddIm, lane: band == 1 ? 8 : 11, in: rows)
    }
  }

  /// Returns the sums of the even and odd taps of the filter that splits a band into two.
  @inline(__always)
  private static func halves(_ x: UnsafePointer<Float>) -> (even: Lanes, odd: Lanes) {
    let even = unsafe x.lanes(6) * StereoTables.twoOfTwenty[6]
    var odd = unsafe (x.lanes(1) + x.lanes(11)) * StereoTables.twoOfTwenty[1]
    unsafe odd += (x.lanes(3) + x.lanes(9)) * StereoTables.twoOfTwenty[3]
    unsafe odd += (x.lanes(5) + x.lanes(7)) * StereoTables.twoOfTwenty[5]
    return (even, odd)
  }

  /// Splits bands 0 to 4 into lanes 0...31.
  private static func splitForThirtyFour(
    _ columns: UnsafePointer<Float>, at slot: Int, twelve: HybridFilter, eight: HybridFilter,
    four: HybridFilter, sums: UnsafeMutablePointer<Float>, into rows: UnsafeMutablePointer<Float>
  ) {
    var first = 0
    for band in 0..<5 {
      let column = unsafe columns + (band &* 96 &+ slot)
      unsafe HybridFilter.fold(column, column + 48, into: sums)
      switch band {
      case 0: unsafe split(by: twelve, sums, first: first, into: rows)
      case 1: unsafe split(by: eight, sums, first: first, into: rows)
      default: unsafe split(by: four, sums, first: first, into: rows)
      }
      first += band == 0 ? 12 : band == 1 ? 8 : 4
    }
  }

  /// Stores all parts of a band into lanes from `first`.
  @inline(__always)
  private static func split(
    by filter: HybridFilter, _ sums: UnsafePointer<Float>, first: Int,
    into rows: UnsafeMutablePointer<Float>
  ) {
    for q in 0..<filter.pairs {
      let parts = unsafe filter.pair(q, sums)
      unsafe store(parts.low, parts.lowIm, lane: first &+ q, in: rows)
      unsafe store(parts.high, parts.highIm, lane: first &+ 2 &* filter.pairs &- 1 &- q, in: rows)
    }
  }

  @inline(__always)
  private static func store(
    _ real: Lanes, _ imaginary: Lanes, lane: Int, in rows: UnsafeMutablePointer<Float>
  ) {
    unsafe rows.store(real, 4 &* lane)
    unsafe rows.store(imaginary, 144 &+ 4 &* lane)
  }

  /// Converts four slots of each lane to all lanes of each slot, from row `row`.
  private static func transpose(
    _ rows: UnsafePointer<Float>, groups: Int, at row: Int, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    let stride = HybridFrame.stride
    let start = row &* stride
    for group in 0..<groups {
      let at = start &+ 4 &* group
      let (re, im) = unsafe (
        LaneSquare(rows, 16 &* group, stride: 4), LaneSquare(rows, 144 &+ 16 &* group, stride: 4)
      )
      unsafe re.transposed.store(real, at, stride: stride)
      unsafe im.transposed.store(imaginary, at, stride: stride)
    }
  }

  /// Copies QMF bands 5 to 7 into lanes 32...34.
  private static func copyUnsplit(
    _ qmf: UnsafePointer<Float>, to hybrid: UnsafeMutablePointer<Float>, slotCount: Int
  ) {
    for slot in 0..<slotCount {
      let bands = unsafe qmf.lanes(slot &* 64 &+ 4)
      let at = (slot &+ HybridFrame.history) &* HybridFrame.stride &+ 32
      unsafe hybrid.store(Lanes(bands[1], bands[2], bands[3], 0), at)
    }
  }
}

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
      unsafe joinThirtyFour(hybrid, slotCount: slotCount, into: &frame, at: row)
    } else {
      unsafe joinTwenty(hybrid, slotCount: slotCount, into: &frame, at: row)
    }
  }

  /// Adds lanes 0...5, 8...9 and 10...11, and copies lane 6.
  private static func joinTwenty(
    _ hybrid: UnsafePointer<Float>, slotCount: Int, into frame: UnsafeMutablePointer<Float>,
    at row: Int
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
    _ hybrid: UnsafePointer<Float>, slotCount: Int, into frame: UnsafeMutablePointer<Float>,
    at row: Int
  ) {
    for slot in 0..<slotCount {
      let x = unsafe hybrid + (slot &+ HybridFrame.history) &* HybridFrame.stride
      let first = unsafe x.lanes(0) + x.lanes(4) + x.lanes(8)
      let second = unsafe x.lanes(12) + x.lanes(16)
      let columns = unsafe LaneSquare(first, second, x.lanes(20), x.lanes(24)).transposed
      unsafe frame.store((columns.a + columns.b) + (columns.c + columns.d), (row &+ slot) &* 64)
      let (fifth, rest) = unsafe (x.lanes(28), x.lanes(32))
      unsafe frame.store(Lanes(fifth.total, rest[0], rest[1], rest[2]), (row &+ slot) &* 64 &+ 4)
    }
  }
}
