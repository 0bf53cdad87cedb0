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

  /// The one spectrum of a band: a sum of both channels with these weights.
  private struct Carrier {
    let left, right: Float
    /// The noise that is allowed in the spectrum.
    let threshold: Float
  }

  /// Joins the bands of a pair that sound like one source; the left channel carries them.
  ///
  /// The noise may be 2 to the power of `level` times the thresholds. If `isCoarse`, audible errors
  /// are accepted in high bands.
  static func apply(
    _ left: inout ChannelFrame, _ right: inout ChannelFrame, _ layout: BandLayout,
    hertzPerLine: Float, level: Float, isCoarse: Bool
  ) {
    precondition(left.lines.count >= layout.lineCount && right.lines.count >= layout.lineCount)
    let scale = ElementaryFunctions.exp2(level)
    var previous: Int32 = 0
    for band in 0..<layout.bandCount where left.isSpectral(band) && right.isSpectral(band) {
      let (start, end) = (layout.offsets[band], layout.offsets[band + 1])
      let sums = MidSide.products(left.lines, right.lines, start, end)
      guard sums.left > 1, sums.right > 1,
        sums.cross * sums.cross > minCoherence * sums.left * sums.right
      else { continue }
      // Right is left times 2^(−position/4) (4.6.8.2.3).
      let exact = 2 * ElementaryFunctions.log2(sums.left / sums.right)
      let position = Int32(exact >= 0 ? exact + 0.5 : exact - 0.5)
      // A difference beyond the codebook would be coded as a wrong direction, so the band is not
      // joined.
      guard abs(position - previous) <= Int32(ScaleFactorBook.largestDifference) else { continue }
      let isInverted = sums.cross < 0
      let thresholds = (left: left.threshold[band] * scale, right: right.threshold[band] * scale)
      let carrier: Carrier
      if let found = inaudible(
        sums, position, isInverted: isInverted, thresholds, lineCount: Float(end - start))
      {
        carrier = found
      } else if isCoarse
        && Float(layout.windowOffsets[band % layout.window.bandsPerGroup]) * hertzPerLine
          >= lowestFrequency
      {
        carrier = coarse(sums, isInverted: isInverted, thresholds)
      } else {
        continue
      }
      previous = position
      for line in start..<end {
        left.lines[line] = left.lines[line] * carrier.left + right.lines[line] * carrier.right
        right.lines[line] = 0
      }
      right.codebooks[band] = isInverted ? Codebook.intensityOutOfPhase : Codebook.intensityInPhase
      right.scaleFactors[band] = position
      left.threshold[band] = carrier.threshold / scale
    }
  }

  /// Returns the carrier with the smallest errors relative to the thresholds; nil if they are
  /// audible, or if it saves too few bits.
  private static func inaudible(
    _ sums: MidSide.Products, _ position: Int32, isInverted: Bool,
    _ thresholds: (left: Float, right: Float), lineCount: Float
  ) -> Carrier? {
    let size = ElementaryFunctions.exp2(-0.25 * Float(position))
    // The decoder's right channel is the carrier times this gain.
    let gain = isInverted ? -size : size
    let total = 1 / thresholds.left + size * size / thresholds.right
    let weight = (
      left: 1 / (thresholds.left * total), right: gain / (thresholds.right * total)
    )
    let errorLeft = max(
      resolution * sums.left, energy(1 - weight.left, -weight.right, sums))
    let errorRight = max(
      resolution * sums.right, energy(-gain * weight.left, 1 - gain * weight.right, sums))
    guard errorLeft < maxErrorShare * thresholds.left,
      errorRight < maxErrorShare * thresholds.right
    else { return nil }
    let threshold = min(
      thresholds.left - errorLeft, (thresholds.right - errorRight) / (size * size))
    let joint = max(1, energy(weight.left, weight.right, sums) / threshold)
    // A silent side could leave all of the noise to the middle. `MidSide` uses half of it, but
    // joining a band only for that reason makes it worse than the bands beside it.
    let (middle, side) = MidSide.energies(sums)
    let shared = min(thresholds.left, thresholds.right)
    let together =
      side < shared * 0.5
      ? max(1, middle / (shared - side))
      : MidSide.costTogether(sums, thresholds.left, thresholds.right)
    let two = min(MidSide.costApart(sums, thresholds.left, thresholds.right), together)
    guard lineCount * 0.5 * ElementaryFunctions.log2(two / joint) > minSavedBits else { return nil }
    return Carrier(left: weight.left, right: weight.right, threshold: threshold)
  }

  /// Returns a carrier with which both channels keep their energy.
  private static func coarse(
    _ sums: MidSide.Products, isInverted: Bool, _ thresholds: (left: Float, right: Float)
  ) -> Carrier {
    let joint = sums.left + sums.right + 2 * abs(sums.cross)
    let gain = (sums.left / joint).squareRoot()
    return Carrier(
      left: gain, right: isInverted ? -gain : gain,
      threshold: min(thresholds.left, thresholds.right * (sums.left / sums.right)))
  }

  /// Returns the energy of the sum of both channels with two weights.
  private static func energy(_ left: Float, _ right: Float, _ sums: MidSide.Products) -> Float {
    left * left * sums.left + 2 * left * right * sums.cross + right * right * sums.right
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
