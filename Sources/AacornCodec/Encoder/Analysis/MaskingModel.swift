import AacornSignal

/// The constants of the psychoacoustic model for one set of scalefactor bands.
///
/// The model spreads each band's energy along the Bark scale with exponential slopes. It then
/// derives the noise that the spread energy masks: a tone masks less than noise does.
struct MaskingModel: Sendable {
  /// The number of bands in one window.
  let bandCount: Int
  /// The factor with which the sum of lower bands reaches each band.
  private(set) var decayUp: [Float] = [0]
  /// The factor with which the sum of higher bands reaches each band.
  private(set) var decayDown: [Float] = []
  /// The fraction of a band's own energy that counts at the band itself.
  private(set) var selfFraction: [Float] = []
  /// The band energy at the threshold in quiet, for one window.
  private(set) var quiet: [Float] = []
  /// The factor from spread energy to masked noise for a noise-like masker.
  private(set) var noiseOffset: [Float] = []
  /// The factor from spread energy to masked noise for a tonal masker.
  private(set) var toneOffset: [Float] = []

  /// Creates a model for the bands of a window with `lineCount` lines at `sampleRate` hertz.
  init(offsets: [Int], lineCount: Int, sampleRate: Int) {
    bandCount = offsets.count - 1
    let edges = offsets.map { Float($0) * (Float(sampleRate) / Float(2 * lineCount)) }
    let barks = edges.map(Self.bark)
    let centers = zip(barks, barks.dropFirst()).map { ($0 + $1) / 2 }
    // The energy of a full-scale sine in one window, defined as 100 dB of sound pressure.
    let fullScale = Float(lineCount) * Float(lineCount) * 32_768 * 32_768
    let upward: Float = lineCount > 128 ? 15 : 13
    let downward: Float = lineCount > 128 ? 27 : 21
    for band in 0..<bandCount {
      let width = barks[band + 1] - barks[band]
      let level = min(Self.quietLevel(edges[band]), Self.quietLevel(edges[band + 1])) - 100
      quiet.append(fullScale * Self.ratio(decibels: level))
      if band > 0 {
        decayUp.append(Self.ratio(decibels: -upward * (centers[band] - centers[band - 1])))
      }
      decayDown.append(
        band + 1 < bandCount
          ? Self.ratio(decibels: -downward * (centers[band + 1] - centers[band])) : 0)
      selfFraction.append(Self.ratio(decibels: -(upward + downward) / 2 * width / 3))
      // Dividing by the spread's area in Bark makes energies comparable whatever the width of the
      // band.
      let area = 4.342945 / upward + 4.342945 / downward
      let share = min(1, width / area)
      noiseOffset.append(share * Self.ratio(decibels: -5.5))
      toneOffset.append(share * Self.ratio(decibels: -12))
    }
    // Bands are processed in fours.
    let padding: [Float] = [0, 0, 0, 0]
    quiet += padding
    noiseOffset += padding
    toneOffset += padding
  }

  /// Returns the Bark number of a frequency.
  ///
  /// 3GPP TS 26.403, 5.4.2; the second term follows Zwicker's formula.
  static func bark(_ hertz: Float) -> Float {
    13.3 * arctangent(0.00076 * hertz) + 3.5 * arctangent((hertz / 7500) * (hertz / 7500))
  }

  /// Returns the threshold in quiet in dB of sound pressure (Terhardt's curve), limited from above.
  ///
  /// The limit, which applies above 14 kHz, is below the curve: dropping everything that the curve
  /// allows there would remove whole bands, visible as gaps in a comparison of spectra.
  private static func quietLevel(_ hertz: Float) -> Float {
    let f = max(0.05, hertz / 1000)
    let low = 3.64 * ElementaryFunctions.exp2(-0.8 * ElementaryFunctions.log2(f))
    let dip = 6.8 * ElementaryFunctions.exp2(-1.442695 * 0.6 * (f - 3.3) * (f - 3.3))
    return min(40, low - dip + 0.001 * f * f * f * f)
  }

  private static func ratio(decibels: Float) -> Float {
    ElementaryFunctions.exp2(decibels * 0.33219281)
  }

  private static func arctangent(_ x: Float) -> Float {
    // Halving the angle three times makes the series short.
    var t = Double(x)
    for _ in 0..<3 { t = t / (1 + (1 + t * t).squareRoot()) }
    let square = t * t
    var sum = 0.0
    for k in stride(from: 15, through: 1, by: -2) { sum = 1 / Double(k) - square * sum }
    return Float(8 * t * sum)
  }
}
