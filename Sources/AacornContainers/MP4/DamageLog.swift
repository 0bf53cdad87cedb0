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
