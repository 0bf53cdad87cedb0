import AacornSignal

/// The sums of each band of a pair from which the encoder chooses joint coding.
struct PairSums: Sendable {
  /// Σl², Σr² and Σlr of four bands.
  struct Bands: Sendable {
    var left = Lanes.zero
    var right = Lanes.zero
    var cross = Lanes.zero

    /// The energy of M, (L+R)/2.
    @inline(__always)
    var middle: Lanes { ((left + right + 2 * cross) * 0.25).raised(to: .zero) }

    /// The energy of S, (L−R)/2.
    @inline(__always)
    var side: Lanes { ((left + right - 2 * cross) * 0.25).raised(to: .zero) }

    /// Returns the energy of the sum of both channels with two weights.
    @inline(__always)
    func energy(_ weightL: Lanes, _ weightR: Lanes) -> Lanes {
      weightL * weightL * left + 2 * weightL * weightR * cross + weightR * weightR * right
    }
  }

  /// Σl², Σr² and Σlr of some samples.
  typealias Total = (left: Float, right: Float, cross: Float)

  private var bands = [Bands](repeating: Bands(), count: BandLayout.listCapacity / 4)

  /// Measures all bands of the spectra of a pair.
  mutating func measure(_ left: [Float], _ right: [Float], layout: BandLayout) {
    precondition(left.count >= layout.lineCount && right.count >= layout.lineCount)
    precondition(layout.bandCount <= 4 * bands.count)
    unsafe Self.measure(left, right, offsets: layout.offsets, count: layout.bandCount, into: &bands)
  }

  /// Returns the sums of bands `first` to `first` + 3; `first` is a multiple of four.
  ///
  /// Values past the last band have no meaning.
  @inline(__always)
  subscript(first: Int) -> Bands { bands[first / 4] }

  private static func measure(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, offsets: UnsafePointer<Int>,
    count: Int, into bands: UnsafeMutablePointer<Bands>
  ) {
    for band in 0..<count {
      let sum = unsafe sum(left, right, in: offsets[band]..<offsets[band &+ 1])
      // Setting a lane of a vector would write and read the whole vector.
      let floats = unsafe UnsafeMutableRawPointer(bands + band / 4) + band % 4 &* 4
      let size = MemoryLayout<Lanes>.size
      unsafe floats.storeBytes(of: sum.left, as: Float.self)
      unsafe floats.storeBytes(of: sum.right, toByteOffset: size, as: Float.self)
      unsafe floats.storeBytes(of: sum.cross, toByteOffset: 2 &* size, as: Float.self)
    }
  }

  /// Sums the products of a range of samples, whose number is a multiple of four.
  static func total(_ left: [Float], _ right: [Float], in range: Range<Int>) -> Total {
    precondition(range.lowerBound >= 0 && range.upperBound <= min(left.count, right.count))
    return unsafe sum(left, right, in: range)
  }

  @inline(__always)
  private static func sum(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, in range: Range<Int>
  ) -> Total {
    var l2 = Lanes.zero
    var r2 = Lanes.zero
    var lr = Lanes.zero
    var n = range.lowerBound
    while n < range.upperBound {
      let l = unsafe left.lanes(n)
      let r = unsafe right.lanes(n)
      l2 += l * l
      r2 += r * r
      lr += l * r
      n &+= 4
    }
    return (l2.total, r2.total, lr.total)
  }
}
