import AacornSignal

extension ChannelFrame {
  /// Runs the psychoacoustic model and sets the thresholds for frames without enough bits.
  ///
  /// Scaling every threshold equally would hurt most where the signal is loud, because the noise is
  /// loud there as well. So quiet bands get more of the noise, by a power of their threshold per
  /// line. Bands whose energy exceeds the masking threshold most get slightly more as well.
  mutating func applyMaskingModel(_ layout: BandLayout, _ model: MaskingModel, levelExponent: Float)
  {
    psychoacoustics.analyze(lines, layout, model)
    let padded = (layout.bandCount + 3) & ~3
    precondition(
      padded <= psychoacoustics.threshold.count && padded <= psychoacoustics.energy.count)
    precondition(padded <= layout.widths.count && padded <= threshold.count)
    for band in 0..<layout.bandCount { codebooks[band] = Codebook.smallest }
    unsafe Self.setThresholds(
      psychoacoustics.threshold, psychoacoustics.energy, layout.widths, layout.bandCount,
      levelExponent,
      into: &threshold)
  }

  private static func setThresholds(
    _ hidden: UnsafePointer<Float>, _ energy: UnsafePointer<Float>,
    _ widths: UnsafePointer<Float>, _ count: Int, _ levelExponent: Float,
    into threshold: UnsafeMutablePointer<Float>
  ) {
    var band = 0
    while band < count {
      // The last lanes may be past the last band: there, any positive value is valid.
      let noise = unsafe hidden.lanes(band).raised(to: Lanes(repeating: 1e-9))
      let width = unsafe widths.lanes(band).raised(to: Lanes(repeating: 1))
      let level = ElementaryFunctions.log2(noise / width)
      let ratio = ElementaryFunctions.log2(unsafe (energy.lanes(band) + 1) / noise)
      unsafe threshold.store(
        noise * ElementaryFunctions.exp2(0.1 * ratio - levelExponent * level), band)
      band &+= 4
    }
  }
}
