/// A schedule for sending metadata: once after each change, and again at growing intervals while sending fails.
///
/// A server may accept frames but no titles. Attempts must be rare then, because each of them delays the frames.
struct MetadataSchedule {
  /// The edition of the metadata that the server has accepted; nil before.
  private var told: Int?
  private let firstDelay: Int
  private var delay: Int
  /// The earliest time of the next attempt, in nanoseconds.
  private var time = Int64.min

  /// The maximum delay, in milliseconds.
  private static let longestDelay = 60_000

  init(told: Int?, firstDelayMilliseconds: Int) {
    self.told = told
    firstDelay = firstDelayMilliseconds
    delay = firstDelay
  }

  /// Returns whether an edition must be sent now.
  func isDue(_ edition: Int, at now: Int64) -> Bool { edition != told && now >= time }

  /// Records that the server has accepted an edition.
  mutating func succeed(_ edition: Int) {
    told = edition
    delay = firstDelay
  }

  /// Records a failure.
  ///
  /// The next attempt must wait, even with a newer edition.
  mutating func fail(at now: Int64) {
    time = now + Int64(delay) * 1_000_000
    delay = min(delay * 2, max(Self.longestDelay, firstDelay))
  }
}
