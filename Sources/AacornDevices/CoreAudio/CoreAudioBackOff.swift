/// When a device that is away is looked for again: soon at first, and then ever more seldom.
///
/// Every look may activate a session, which costs other apps something and can be heard. What
/// brings a device back is usually told, and then it is looked for at once.
struct CoreAudioBackOff: Sendable, Equatable {
  /// The shortest wait, in milliseconds, and how often it is doubled at most: 16 seconds.
  private static let shortest = 250
  private static let mostDoublings = 6

  /// Looks that were in vain, as far as they count.
  private var lookCount = 0

  /// How long to wait before the next look, in milliseconds.
  var milliseconds: Int { Self.shortest << max(0, lookCount - 1) }

  /// Notes that a look was in vain.
  mutating func lengthen() {
    lookCount = min(lookCount + 1, Self.mostDoublings + 1)
  }

  /// Notes that things have changed.
  mutating func reset() {
    lookCount = 0
  }
}
