/// Whose encoder makes the units.
public enum AACBackEnd: Equatable, Sendable {
  /// This package's: the same bytes on every system.
  case own
  /// The one that comes with the system, which only Apple's systems have.
  case system(Processing = .any)

  /// What the system's encoder runs on.
  public enum Processing: Equatable, Sendable, CaseIterable {
    /// What the system chooses.
    case any
    /// A part of the device that does nothing else, which only some have, for one sound at a time.
    case hardware
    /// The processor.
    case software
  }
}
