/// The highest frequency worth coding at a bitrate.
enum Bandwidth {
  /// Returns the bandwidth in hertz for this bitrate per channel, at most half the sampling rate.
  ///
  /// Coding fewer bands well beats coding all of them badly. But an audible low-pass is the most
  /// common complaint of other encoders' users, so the bandwidth grows quickly with the bitrate.
  static func hertz(bitsPerSecondPerChannel rate: Float, sampleRate: Int) -> Int {
    let points: [(rate: Float, hertz: Float)] = [
      (6_000, 3_000), (12_000, 5_500), (16_000, 7_000), (24_000, 11_500), (32_000, 14_500),
      (48_000, 18_600), (64_000, 20_300), (96_000, 20_600), (128_000, 22_050), (160_000, 24_000),
      (256_000, 48_000),
    ]
    var hertz = points[0].hertz
    if rate >= points[points.count - 1].rate {
      hertz = points[points.count - 1].hertz
    } else {
      for i in 1..<points.count where rate >= points[i - 1].rate && rate < points[i].rate {
        let (a, b) = (points[i - 1], points[i])
        hertz = a.hertz + (b.hertz - a.hertz) * (rate - a.rate) / (b.rate - a.rate)
      }
    }
    return min(Int(hertz), sampleRate / 2)
  }
}

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
