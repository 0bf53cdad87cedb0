/// The meaning of a section's codebook number (ISO/IEC 14496-3, table 4.108).
public enum Codebook {
  /// All lines are zero and nothing is sent.
  @inlinable public static var zero: UInt8 { 0 }
  /// The largest book, with escapes.
  @inlinable public static var escape: UInt8 { 11 }
  /// Noise of a given energy replaces the lines.
  @inlinable public static var noise: UInt8 { 13 }
  /// The left channel's lines, scaled and inverted.
  @inlinable public static var intensityOutOfPhase: UInt8 { 14 }
  /// The left channel's lines, scaled.
  @inlinable public static var intensityInPhase: UInt8 { 15 }

  /// Whether lines are coded with the book, or are all zero.
  @inlinable
  public static func isSpectral(_ book: UInt8) -> Bool { book <= escape }
}
