/// The scalefactor bands inside a bandwidth.
struct CodedBands: Sendable {
  let longCount: Int
  let shortCount: Int
  /// The bands of a long window that temporal noise shaping may filter.
  let noiseShaping: Range<Int>
  /// The highest frequency that a decoder outputs, in hertz.
  let top: Int

  /// Selects the bands below a bandwidth in hertz.
  init(_ bands: ScaleFactorBands, _ settings: AACEncoder.Settings, bandwidth: Int) {
    let rate = settings.frequency.hertz
    let line = (bandwidth * 2048 + rate - 1) / rate
    longCount = ScaleFactorBands.count(below: line, in: bands.long)
    shortCount = ScaleFactorBands.count(below: (line + 7) / 8, in: bands.short)
    let lowest = ScaleFactorBands.count(
      below: NoiseShaping.lowestFrequency * 2048 / rate, in: bands.long)
    let highest = min(longCount, bands.longNoiseShapingLimit)
    noiseShaping = min(lowest, highest)..<highest
    top =
      settings.replication?.top ?? min(rate / 2, bands.long[longCount] * rate / 2048)
  }
}
