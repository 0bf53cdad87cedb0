import AacornSignal

/// Perceptual noise substitution: where a band is noise, only its energy is sent.
///
/// ISO/IEC 14496-3, 4.6.13; MPEG-2 AAC does not know it. It serves where there are hardly any bits:
/// lines coded with a signal-to-noise ratio of a few decibels are mostly noise as well, and noise of
/// a ragged level; noise of the right level sounds better, and the bits go where they are heard.
enum PerceptualNoise {
  /// Below this many hertz the ear is too good at telling one noise from another.
  private static let lowestFrequency: Float = 4_000
  /// The least number of lines that make a noise.
  private static let fewestLines: Float = 8
  /// Bands more tonal than this are no noise.
  private static let mostTonal: Float = 0.4
  /// A band that would be coded with a better ratio of energy to noise than this is coded.
  private static let poorRatio: Float = 2.8

  /// Marks the noise bands of a channel; `level` is the noise level the frame is likely to get.
  static func mark(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float, hertzPerLine: Float
  ) {
    let scale = ElementaryFunctions.exp2(level) * poorRatio
    let lowest = Int(lowestFrequency / hertzPerLine) + 1
    var previous: Int32?
    for group in 0..<layout.groupLengths.count {
      let first = group * layout.bandsPerGroup
      let windows = Float(layout.groupLengths[group])
      for offset in 0..<layout.bandsPerGroup where layout.windowOffsets[offset] >= lowest {
        let band = first + offset
        let energy = frame.hearing.energy[band]
        guard energy < frame.threshold[band] * scale, energy > 1,
          layout.widths[band] >= fewestLines, frame.hearing.tonality[band] < mostTonal,
          frame.isSpectral(band)
        else { continue }
        let exact = 2 * ElementaryFunctions.log2(energy / windows)
        let value = Int32(exact + 0.5)
        // Energy further from the last one than can be sent would be a wrong one.
        if let previous, abs(value - previous) > Int32(ScaleFactorCoder.largestDifference) {
          continue
        }
        previous = value
        frame.book[band] = Codebook.noise
        frame.scaleFactor[band] = value
      }
    }
  }
}
