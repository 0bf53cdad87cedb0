/// Damage in an MP4 file, with its location.
public struct MP4Damage: Equatable, Sendable {
  /// A kind of damage.
  public enum Kind: Equatable, Sendable {
    /// A box extends beyond the end of the file.
    case truncated
    /// A box is smaller than its own header, or bytes between boxes do not form a box.
    case invalidBoxSize
    /// A box is longer than the box around it.
    case boxExceedsParent
    /// A table box is longer than any real one; it was not read.
    case boxTooLarge
    /// A table claims more entries than its box can hold.
    case countExceedsBox
    /// There is no movie box; `offset` and `length` locate the audio without tables.
    case missingMovie
    /// A fragment precedes the movie box that it refers to.
    case fragmentBeforeMovie
    /// There is no AAC track.
    case noAudioTrack
    /// The decoder configuration is missing or invalid.
    case invalidConfiguration
    /// A required box of a track is missing.
    case missingTable
    /// The tables of a track contradict each other.
    case tableMismatch
    /// The tables list frames beyond the end of the file.
    case sampleOutsideFile
  }

  /// The kind of damage.
  public let kind: Kind
  /// The position, in bytes from the start of the file.
  public let offset: UInt64
  /// The number of affected bytes.
  public let length: UInt64

  /// Creates a record of damage.
  public init(_ kind: Kind, offset: UInt64, length: UInt64) {
    self.kind = kind
    self.offset = offset
    self.length = length
  }
}

/// Collects damage, up to a limit, so that a badly damaged file cannot exhaust memory.
struct DamageLog: Sendable {
  private(set) var entries: [MP4Damage] = []

  private static let maxEntryCount = 100

  /// Records damage, unless the limit is reached.
  mutating func add(_ kind: MP4Damage.Kind, offset: UInt64, length: UInt64) {
    if entries.count < Self.maxEntryCount {
      entries.append(MP4Damage(kind, offset: offset, length: length))
    }
  }
}
