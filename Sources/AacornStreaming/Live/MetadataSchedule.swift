/// When to send metadata: once after each change, and again, at growing intervals, while sending
/// fails.
///
/// A server that accepts frames but no titles must be left alone for a while, since each attempt
/// delays the frames.
struct MetadataSchedule {
  /// The edition of the metadata that the server knows.
  private var told: Int?
  private let firstDelay: Int
  private var delay: Int
  /// The earliest time of the next attempt, in nanoseconds.
  private var time = Int64.min

  /// The longest delay, in milliseconds.
  private static let longestDelay = 60_000

  init(told: Int?, firstDelayMilliseconds: Int) {
    self.told = told
    firstDelay = firstDelayMilliseconds
    delay = firstDelay
  }

  /// Whether to send this edition now.
  func isDue(_ edition: Int, at now: Int64) -> Bool { edition != told && now >= time }

  /// Records that it was sent.
  mutating func succeed(_ edition: Int) {
    told = edition
    delay = firstDelay
  }

  /// Records a failure; the next attempt, even for a newer edition, must wait.
  mutating func fail(at now: Int64) {
    time = now + Int64(delay) * 1_000_000
    delay = min(delay * 2, max(Self.longestDelay, firstDelay))
  }
}
