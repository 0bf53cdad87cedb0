/// When to tell what is being played: once after each change, and again, at growing intervals, while
/// telling it fails.
///
/// A server that takes frames and no titles is to be left alone for a while, since each attempt
/// holds the frames up.
struct MetadataSchedule {
  /// The edition of the metadata that the server knows.
  private var told: Int?
  private let firstDelay: Int
  private var delay: Int
  /// Not to be told before this, in nanoseconds.
  private var time = Int64.min

  /// The longest delay, in milliseconds.
  private static let longestDelay = 60_000

  init(told: Int?, firstDelayMilliseconds: Int) {
    self.told = told
    firstDelay = firstDelayMilliseconds
    delay = firstDelay
  }

  /// Whether to tell this edition now.
  func isDue(_ edition: Int, at now: Int64) -> Bool { edition != told && now >= time }

  /// It was told.
  mutating func succeed(_ edition: Int) {
    told = edition
    delay = firstDelay
  }

  /// It could not be told; the next attempt, be it of a newer edition, has to wait.
  mutating func fail(at now: Int64) {
    time = now + Int64(delay) * 1_000_000
    delay = min(delay * 2, max(Self.longestDelay, firstDelay))
  }
}
