import AacornSignal

/// Chooses for each band whether a pair is coded as mid and side (ISO/IEC 14496-3, 4.6.8.1).
///
/// M = (L+R)/2 and S = (L−R)/2; noise in either reaches both ears. A band uses M/S if that needs
/// fewer bits for the same noise: if the product of the signal-to-threshold ratios is smaller.
struct MidSide: Sendable {
  /// Whether each band of the layout uses M/S.
  private(set) var flags = [Bool](repeating: false, count: BandLayout.maximumBandCount)
  /// The number of bands that use M/S.
  private(set) var bandCount = 0

  /// Prepares a frame without M/S bands.
  mutating func clear(_ layout: BandLayout) {
    for band in 0..<layout.bandCount { flags[band] = false }
    bandCount = 0
  }

  /// Chooses bands, converts their lines to M and S, and sets one threshold for both.
  mutating func apply(_ left: inout ChannelFrame, _ right: inout ChannelFrame, _ layout: BandLayout)
  {
    precondition(left.lines.count >= layout.lineCount && right.lines.count >= layout.lineCount)
    bandCount = 0
    for band in 0..<layout.bandCount {
      let (start, end) = (layout.offsets[band], layout.offsets[band + 1])
      let isUseful =
        if left.codebooks[band] == Codebook.noise && right.codebooks[band] == Codebook.noise {
          Self.isSameNoise(left.lines, right.lines, start, end)
        } else if left.isSpectral(band) && right.isSpectral(band) {
          join(&left, &right, band, start, end)
        } else {
          false
        }
      flags[band] = isUseful
      if isUseful { bandCount += 1 }
    }
  }

  /// Returns whether both channels can use the same noise.
  ///
  /// In the stream, the M/S flag of two noise bands means the same noise (4.6.13.3).
  private static func isSameNoise(
    _ left: [Float], _ right: [Float], _ start: Int, _ end: Int
  ) -> Bool {
    let sums = products(left, right, start, end)
    return sums.cross > 0.6 * (sums.left * sums.right).squareRoot()
  }

  /// Converts a band to M and S if that needs fewer bits.
  private func join(
    _ left: inout ChannelFrame, _ right: inout ChannelFrame, _ band: Int, _ start: Int, _ end: Int
  ) -> Bool {
    let sums = Self.products(left.lines, right.lines, start, end)
    let (thresholdL, thresholdR) = (left.threshold[band], right.threshold[band])
    let apart = Self.costApart(sums, thresholdL, thresholdR)
    guard Self.costTogether(sums, thresholdL, thresholdR) < apart else { return false }
    let shared = min(thresholdL, thresholdR) * 0.5
    left.threshold[band] = shared
    right.threshold[band] = shared
    unsafe Self.rotate(&left.lines, &right.lines, start, end)
    return true
  }

  /// Returns the product of the signal-to-threshold ratios of left and right.
  ///
  /// Half of its logarithm is the number of bits that a line of both channels needs.
  @inline(__always)
  static func costApart(_ sums: Products, _ thresholdL: Float, _ thresholdR: Float) -> Float {
    max(1, sums.left / thresholdL) * max(1, sums.right / thresholdR)
  }

  /// Returns the product of the signal-to-threshold ratios of M and S.
  @inline(__always)
  static func costTogether(_ sums: Products, _ thresholdL: Float, _ thresholdR: Float) -> Float {
    let (middle, side) = energies(sums)
    let shared = min(thresholdL, thresholdR) * 0.5
    return max(1, middle / shared) * max(1, side / shared)
  }

  /// Returns the energies of M and S.
  @inline(__always)
  static func energies(_ sums: Products) -> (middle: Float, side: Float) {
    let both = sums.left + sums.right
    return (max(0, (both + 2 * sums.cross) * 0.25), max(0, (both - 2 * sums.cross) * 0.25))
  }

  /// Σl², Σr² and Σlr of some lines.
  typealias Products = (left: Float, right: Float, cross: Float)

  /// Returns the sums over lines `start`..<`end`.
  static func products(
    _ left: [Float], _ right: [Float], _ start: Int, _ end: Int
  ) -> Products {
    precondition(start >= 0 && end <= left.count && end <= right.count)
    return unsafe sums(left, right, start, end)
  }

  private static func sums(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ start: Int, _ end: Int
  ) -> Products {
    var l2 = Lanes.zero
    var r2 = Lanes.zero
    var lr = Lanes.zero
    var n = start
    while n < end {
      let l = unsafe left.lanes(n)
      let r = unsafe right.lanes(n)
      l2 += l * l
      r2 += r * r
      lr += l * r
      n &+= 4
    }
    return (l2.total, r2.total, lr.total)
  }

  private static func rotate(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ start: Int,
    _ end: Int
  ) {
    var n = start
    while n < end {
      let l = unsafe left.lanes(n)
      let r = unsafe right.lanes(n)
      unsafe left.store((l + r) * 0.5, n)
      unsafe right.store((l - r) * 0.5, n)
      n &+= 4
    }
  }

  /// Converts the flagged bands of a pair from M and S to left and right: L = M + S, R = M − S.
  ///
  /// Noise bands and copies of the other channel are skipped.
  static func undo(
    _ first: ParsedChannel, _ second: ParsedChannel, offsets: [Int], _ left: inout [Float],
    _ right: inout [Float]
  ) {
    let flags = first.midSideFlags
    guard !flags.isEmpty else { return }
    let (books, otherBooks) = (first.codebooks, second.codebooks)
    let count = left.count
    precondition(right.count == count)
    unsafe left.withUnsafeMutableBufferPointer { left in
      unsafe right.withUnsafeMutableBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        first.window.forEachBand(offsets) { band, range, _ in
          guard flags[band], Codebook.isSpectral(books[band]),
            Codebook.isSpectral(otherBooks[band])
          else { return }
          precondition(range.upperBound <= count)
          unsafe restoreLeftRight(left, right, range)
        }
      }
    }
  }

  private static func restoreLeftRight(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ range: Range<Int>
  ) {
    var n = range.lowerBound
    while n < range.upperBound {
      let m = unsafe left.lanes(n)
      let s = unsafe right.lanes(n)
      unsafe left.store(m + s, n)
      unsafe right.store(m - s, n)
      n &+= 4
    }
  }
}
