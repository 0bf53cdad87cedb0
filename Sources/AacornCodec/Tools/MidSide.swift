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

  /// The correlation of left and right above which two noise bands are the same noise.
  private static let sameNoiseCorrelation: Float = 0.6

  /// Prepares a frame without M/S bands.
  mutating func clear(_ layout: BandLayout) {
    for band in 0..<layout.bandCount { flags[band] = false }
    bandCount = 0
  }

  /// Chooses bands, converts their lines to M and S, and sets one threshold for both.
  mutating func apply(
    _ left: inout ChannelFrame, _ right: inout ChannelFrame, layout: BandLayout, sums: PairSums
  ) {
    precondition(left.lines.count >= layout.lineCount && right.lines.count >= layout.lineCount)
    bandCount = 0
    for first in stride(from: 0, to: layout.bandCount, by: 4) {
      let four = sums[first]
      let (thresholdL, thresholdR) = (left.thresholds(first), right.thresholds(first))
      let isCheaper =
        Self.costTogether(four, thresholdL: thresholdL, thresholdR: thresholdR)
        .< Self.costApart(four, thresholdL: thresholdL, thresholdR: thresholdR)
      // In the stream, the M/S flag of two noise bands means the same noise (4.6.13.3).
      let isSameNoise =
        four.cross .> Self.sameNoiseCorrelation * (four.left * four.right).squareRoot()
      for band in first..<min(first + 4, layout.bandCount) {
        if left.codebooks[band] == Codebook.noise && right.codebooks[band] == Codebook.noise {
          flags[band] = isSameNoise[band - first]
        } else if left.isSpectral(band) && right.isSpectral(band) {
          flags[band] = isCheaper[band - first]
          if flags[band] {
            let shared = min(left.threshold[band], right.threshold[band]) * 0.5
            left.threshold[band] = shared
            right.threshold[band] = shared
            unsafe Self.rotate(
              &left.lines, &right.lines, from: layout.offsets[band], to: layout.offsets[band + 1])
          }
        } else {
          flags[band] = false
        }
        if flags[band] { bandCount += 1 }
      }
    }
  }

  /// Returns the products of the signal-to-threshold ratios of left and right.
  ///
  /// Half of their logarithms are the bits that a line of both channels needs.
  @inline(__always)
  static func costApart(_ sums: PairSums.Bands, thresholdL: Lanes, thresholdR: Lanes) -> Lanes {
    let one = Lanes(repeating: 1)
    return (sums.left / thresholdL).raised(to: one) * (sums.right / thresholdR).raised(to: one)
  }

  /// Returns the products of the signal-to-threshold ratios of M and S.
  @inline(__always)
  static func costTogether(
    _ sums: PairSums.Bands, thresholdL: Lanes, thresholdR: Lanes
  ) -> Lanes {
    let one = Lanes(repeating: 1)
    let shared = thresholdL.lowered(to: thresholdR) * 0.5
    return (sums.middle / shared).raised(to: one) * (sums.side / shared).raised(to: one)
  }

  private static func rotate(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, from start: Int,
    to end: Int
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
    _ first: ParsedChannel, _ second: ParsedChannel, offsets: [Int], left: inout [Float],
    right: inout [Float]
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
          unsafe restoreLeftRight(left, right, in: range)
        }
      }
    }
  }

  private static func restoreLeftRight(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, in range: Range<Int>
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
