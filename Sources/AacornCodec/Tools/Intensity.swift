import AacornSignal

/// Intensity stereo: one spectrum for both channels, with a direction for each band.
///
/// ISO/IEC 14496-3, 4.6.8.2. A band is joined if its channels differ so little from one sound in one
/// direction that the error is masked, and if that saves bits. At low rates, high bands are joined
/// with audible errors: there the ear infers direction from level differences of the envelope, and
/// losing other differences matters little.
enum Intensity {
  /// Below this frequency in hertz, the ear uses phase to find the direction.
  private static let lowestFrequency: Float = 6_000
  /// The minimum squared correlation at which one spectrum can replace two.
  private static let minCoherence: Float = 0.7
  /// The maximum error of a joined band, as a share of the allowed noise.
  private static let maxErrorShare: Float = 0.5
  /// The minimum number of bits that a joined band must save.
  ///
  /// A position costs about as many.
  private static let minSavedBits: Float = 6
  /// The error of sums of products, as a share of the energy.
  private static let resolution: Float = 4e-7

  /// Joins the bands of a pair that sound like one source; the left channel carries them.
  ///
  /// The noise may be 2 to the power of `level` times the thresholds. If `isCoarse`, audible errors
  /// are accepted in high bands.
  static func apply(
    _ left: inout ChannelFrame, _ right: inout ChannelFrame, layout: BandLayout, sums: PairSums,
    hertzPerLine: Float, level: Float, isCoarse: Bool
  ) {
    precondition(left.lines.count >= layout.lineCount && right.lines.count >= layout.lineCount)
    let scale = ElementaryFunctions.exp2(level)
    var previous: Int32 = 0
    for first in stride(from: 0, to: layout.bandCount, by: 4) {
      let four = sums[first]
      let isCoherent =
        four.left .> 1 .& four.right .> 1
        .& four.cross * four.cross .> minCoherence * four.left * four.right
      guard any(isCoherent) else { continue }
      let bands = Bands(
        four, thresholdLeft: left.thresholds(first) * scale,
        thresholdRight: right.thresholds(first) * scale,
        lineCount: layout.lineCounts(first))
      for band in first..<min(first + 4, layout.bandCount)
      where isCoherent[band - first] && left.isSpectral(band) && right.isSpectral(band) {
        let lane = band - first
        let position = bands.position[lane]
        // A difference beyond the codebook would be coded as a wrong direction, so the band is not
        // joined.
        guard abs(position - previous) <= Int32(ScaleFactorBook.largestDifference) else { continue }
        let frequency =
          Float(layout.windowOffsets[band % layout.window.bandsPerGroup]) * hertzPerLine
        let carrier: Carrier
        if bands.isInaudible[lane] {
          carrier = bands.carrier(lane)
        } else if isCoarse && frequency >= lowestFrequency {
          carrier = bands.coarseCarrier(lane)
        } else {
          continue
        }
        previous = position
        unsafe join(
          &left.lines, &right.lines, in: layout.offsets[band]..<layout.offsets[band + 1],
          carrier: carrier)
        right.codebooks[band] =
          four.cross[lane] < 0 ? Codebook.intensityOutOfPhase : Codebook.intensityInPhase
        right.scaleFactors[band] = position
        left.threshold[band] = carrier.threshold / scale
      }
    }
  }

  /// Replaces the lines of a band by their weighted sum, in the left channel.
  private static func join(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, in lines: Range<Int>,
    carrier: Carrier
  ) {
    var n = lines.lowerBound
    while n < lines.upperBound {
      let sum = unsafe left.lanes(n) * carrier.left + right.lanes(n) * carrier.right
      unsafe left.store(sum, n)
      unsafe right.store(.zero, n)
      n &+= 4
    }
  }

  /// Fills the right channel's intensity bands with the left channel's lines times ±2^(−p/4).
  ///
  /// If each band has its own M/S flag, a flag inverts the sign (4.6.8.2.3). A mask for all bands
  /// does not.
  static func undo(
    _ first: ParsedChannel, _ second: ParsedChannel, mask: MidSideMask, offsets: [Int],
    left: [Float], right: inout [Float]
  ) {
    guard second.intensityBandCount > 0 else { return }
    second.window.forEachBand(offsets) { band, range, _ in
      let codebook = second.codebooks[band]
      guard Codebook.isIntensity(codebook) else { return }
      var gain = Dequantizer.gain(-Int(second.scaleFactors[band]))
      if codebook == Codebook.intensityOutOfPhase { gain = -gain }
      if mask == .perBand && first.midSideFlags[band] { gain = -gain }
      for line in range { right[line] = left[line] * gain }
    }
  }
}

extension Intensity {
  /// The one spectrum of a band: a sum of both channels with these weights.
  private struct Carrier {
    let left, right: Float
    /// The noise that is allowed in the spectrum.
    let threshold: Float
  }

  /// Four bands of a pair, each as one spectrum with the smallest errors relative to the thresholds.
  private struct Bands {
    private let sums: PairSums.Bands
    private let thresholdLeft, thresholdRight: Lanes
    private let weightLeft, weightRight, threshold: Lanes
    /// The decoder's right channel is its left channel times ±2^(−position/4) (4.6.8.2.3).
    let position: SIMD4<Int32>
    /// Whether the errors are masked, and one spectrum saves enough bits.
    let isInaudible: SIMDMask<SIMD4<Int32>>

    @inline(__always)
    init(
      _ sums: PairSums.Bands, thresholdLeft: Lanes, thresholdRight: Lanes, lineCount: Lanes
    ) {
      let exact = 2 * ElementaryFunctions.log2(sums.left / sums.right)
      let rounded = exact + Quantizer.magic
      position = unsafe unsafeBitCast(rounded, to: SIMD4<Int32>.self) &- Quantizer.magicBits
      let size = ElementaryFunctions.exp2(-0.25 * (rounded - Quantizer.magic))
      let gain = size.replacing(with: Lanes.zero - size, where: sums.cross .< 0)
      let total = 1 / thresholdLeft + size * size / thresholdRight
      let (left, right) = (1 / (thresholdLeft * total), gain / (thresholdRight * total))
      let errorLeft = sums.energy(1 - left, Lanes.zero - right)
        .raised(to: resolution * sums.left)
      let errorRight = sums.energy(Lanes.zero - gain * left, 1 - gain * right)
        .raised(to: resolution * sums.right)
      let threshold = (thresholdLeft - errorLeft)
        .lowered(to: (thresholdRight - errorRight) / (size * size))
      let joint = (sums.energy(left, right) / threshold).raised(to: Lanes(repeating: 1))
      // A silent side could leave all of the noise to the middle. `MidSide` uses half of it, but
      // joining a band only for that reason makes it worse than the bands beside it.
      let shared = thresholdLeft.lowered(to: thresholdRight)
      let quietSide = (sums.middle / (shared - sums.side)).raised(to: Lanes(repeating: 1))
      let two = MidSide.costTogether(sums, thresholdL: thresholdLeft, thresholdR: thresholdRight)
        .replacing(with: quietSide, where: sums.side .< shared * 0.5)
        .lowered(to: MidSide.costApart(sums, thresholdL: thresholdLeft, thresholdR: thresholdRight))
      isInaudible =
        errorLeft .< maxErrorShare * thresholdLeft .& errorRight .< maxErrorShare * thresholdRight
        .& lineCount * 0.5 * ElementaryFunctions.log2(two / joint) .> minSavedBits
      (weightLeft, weightRight, self.threshold) = (left, right, threshold)
      (self.sums, self.thresholdLeft, self.thresholdRight) = (sums, thresholdLeft, thresholdRight)
    }

    func carrier(_ lane: Int) -> Carrier {
      Carrier(left: weightLeft[lane], right: weightRight[lane], threshold: threshold[lane])
    }

    /// Returns a carrier with which both channels keep their energy.
    func coarseCarrier(_ lane: Int) -> Carrier {
      let (left, right, cross) = (sums.left[lane], sums.right[lane], sums.cross[lane])
      let joint = left + right + 2 * abs(cross)
      let gain = (left / joint).squareRoot()
      return Carrier(
        left: gain, right: cross < 0 ? -gain : gain,
        threshold: min(thresholdLeft[lane], thresholdRight[lane] * (left / right)))
    }
  }
}
