/// What the codebook number of a section may mean (ISO/IEC 14496-3, table 4.108).
enum Codebook {
  /// All lines are zero and nothing is sent.
  static let zero: UInt8 = 0
  /// The largest book, with escapes.
  static let escape: UInt8 = 11
  /// Noise of a given energy stands for the lines.
  static let noise: UInt8 = 13
  /// The left channel's lines, scaled and inverted.
  static let intensityOutOfPhase: UInt8 = 14
  /// The left channel's lines, scaled.
  static let intensityInPhase: UInt8 = 15
}
