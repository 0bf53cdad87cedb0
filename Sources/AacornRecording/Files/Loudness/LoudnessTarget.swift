import AacornSystem

/// How loud a sound is to become, and how far its peaks may rise.
public struct LoudnessTarget: Equatable, Sendable {
  /// The loudness in LUFS: −16 for podcasts, −23 for broadcasting (EBU R 128), −14 as streaming
  /// services play music.
  public var loudness: Double
  /// The highest true peak in dBTP.
  public var ceiling: Double

  /// The usual ceiling: what a decoder of lossy sound may add to a peak stays below full scale.
  public static let usualCeiling = -1.0

  /// A loudness in LUFS that leaves the peaks below a ceiling in dBTP.
  public init(_ loudness: Double, ceiling: Double = LoudnessTarget.usualCeiling) {
    self.loudness = loudness
    self.ceiling = ceiling
  }

  /// What is wrong with it and what to choose instead, as sentences; nil if it can be worked with.
  package var refusal: (problem: String, advice: String)? {
    if !(-70...(-5)).contains(loudness) {
      let number = QuantityText.fixed(loudness, decimals: 1)
      return ("A loudness of \(number) LUFS is out of reach.", "Choose -70 to -5, such as -16.")
    }
    if !(-20...0).contains(ceiling) {
      let number = QuantityText.fixed(ceiling, decimals: 1)
      return ("A true peak of \(number) dBTP is out of reach.", "Choose -20 to 0, such as -1.")
    }
    return nil
  }
}
