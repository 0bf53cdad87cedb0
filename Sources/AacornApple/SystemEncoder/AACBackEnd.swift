/// The encoder that makes the units.
public enum AACBackEnd: Equatable, Sendable {
  /// This package's encoder: the same bytes on every system.
  case own
  /// The system's encoder, which only Apple's systems have.
  case system(Processing = .any)

  /// The processor that runs the system's encoder.
  public enum Processing: Equatable, Sendable, CaseIterable {
    /// The system's default.
    case any
    /// A hardware encoder, which only some devices have, for one stream at a time.
    case hardware
    /// The CPU.
    case software
  }
}
