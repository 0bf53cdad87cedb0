import AacornSignal

/// Intensity stereo: one spectrum for both channels, with a direction for each band.
///
/// ISO/IEC 14496-3, 4.6.8.2. At high frequencies the ear infers direction from level differences of
/// the envelope; at low bitrates, losing other differences matters little.
enum Intensity {
  /// Below this frequency in hertz, the ear uses phase to find the direction.
  private static let lowestFrequency: Float = 6_000
  /// The minimum squared correlation at which one spectrum can replace two.
  private static let minCoherence: Float = 0.7

  /// Joins the bands of a pair that sound like one source; the left channel carries them.
  static func apply(
    _ left: inout ChannelFrame, _ right: inout ChannelFrame, _ layout: BandLayout,
    hertzPerLine: Float
  ) {
    precondition(left.lines.count >= layout.lineCount && right.lines.count >= layout.lineCount)
    var previous: Int32 = 0
    for band in 0..<layout.bandCount where left.isSpectral(band) && right.isSpectral(band) {
      guard
        Float(layout.windowOffsets[band % layout.window.bandsPerGroup]) * hertzPerLine
          >= lowestFrequency
      else { continue }
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
      previous = position
      let isInverted = sums.cross < 0
      let joint = sums.left + sums.right + 2 * abs(sums.cross)
      let gain = (sums.left / joint).squareRoot()
      let sign: Float = isInverted ? -gain : gain
      for line in start..<end {
        left.lines[line] = left.lines[line] * gain + right.lines[line] * sign
        right.lines[line] = 0
      }
      right.codebooks[band] = isInverted ? Codebook.intensityOutOfPhase : Codebook.intensityInPhase
      right.scaleFactors[band] = position
      left.threshold[band] = min(
        left.threshold[band], right.threshold[band] * (sums.left / sums.right))
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
