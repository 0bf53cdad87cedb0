/// When a device that is away is looked for again: soon at first, and then ever more seldom.
///
/// Every look may activate a session, which costs other apps something and can be heard. What brings a
/// device back is usually told, and then it is looked for at once.
struct CoreAudioBackOff: Sendable, Equatable {
  private static let first = 250
  private static let longest = 16_000

  /// How long to wait before the next look, in milliseconds.
  private(set) var milliseconds = first

  /// Notes that a look was in vain.
  mutating func lengthen() {
    milliseconds = min(2 * milliseconds, Self.longest)
  }

  /// Notes that things have changed.
  mutating func reset() {
    milliseconds = Self.first
  }
}
