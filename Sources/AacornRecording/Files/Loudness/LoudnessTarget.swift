import AacornSystem

/// The target loudness of a file, and the limit of its peaks.
public struct LoudnessTarget: Equatable, Sendable {
  /// The loudness in LUFS: −16 for podcasts, −23 for broadcasting (EBU R 128), −14 for music on
  /// streaming services.
  public var loudness: Double
  /// The maximum true peak in dBTP.
  public var ceiling: Double

  /// The default ceiling in dBTP: lossy coding may raise peaks, which must stay below full scale.
  public static let defaultCeiling = -1.0

  /// Creates a target with a loudness in LUFS and a ceiling in dBTP.
  public init(_ loudness: Double, ceiling: Double = LoudnessTarget.defaultCeiling) {
    self.loudness = loudness
    self.ceiling = ceiling
  }

  /// The problem and the recovery suggestion, as messages; nil if the target is valid.
  package var validationError: (problem: String, advice: String)? {
    if !(-70...(-5)).contains(loudness) {
      let number = QuantityText.fixed(loudness, decimals: 1)
      return ("A loudness of \(number) LUFS is out of range.", "Choose -70 to -5, such as -16.")
    }
    if !(-20...0).contains(ceiling) {
      let number = QuantityText.fixed(ceiling, decimals: 1)
      return ("A true peak of \(number) dBTP is out of range.", "Choose -20 to 0, such as -1.")
    }
    return nil
  }
}
