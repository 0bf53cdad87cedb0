/// Collects damage, up to a limit, so that a file full of it cannot fill the memory.
struct DamageLog: Sendable {
  private(set) var entries: [MP4Damage] = []

  private static let limit = 100

  /// Adds damage unless there is a lot already.
  mutating func add(_ kind: MP4Damage.Kind, offset: UInt64, length: UInt64) {
    if entries.count < Self.limit {
      entries.append(MP4Damage(kind, offset: offset, length: length))
    }
  }
}
