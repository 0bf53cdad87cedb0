/// A schedule for sending metadata: once after each change, and again at growing intervals while
/// sending fails.
///
/// A server may accept frames but no titles. Attempts must be rare then, because each of them
/// delays the frames.
struct MetadataSchedule {
  /// The last edition of the metadata that the server has accepted; nil before the first.
  private var acceptedEdition: Int?
  private let firstDelay: Int
  private var delay: Int
  /// The earliest time of the next attempt, in nanoseconds.
  private var time = Int64.min

  /// The maximum delay, in milliseconds.
  private static let maxDelay = 60_000

  init(acceptedEdition: Int?, firstDelayMilliseconds: Int) {
    self.acceptedEdition = acceptedEdition
    firstDelay = firstDelayMilliseconds
    delay = firstDelay
  }

  /// Returns whether an edition must be sent now.
  func isDue(_ edition: Int, at now: Int64) -> Bool { edition != acceptedEdition && now >= time }

  /// Records that the server has accepted an edition.
  mutating func succeed(_ edition: Int) {
    acceptedEdition = edition
    delay = firstDelay
  }

  /// Records a failure.
  ///
  /// The next attempt must wait, even with a newer edition.
  mutating func fail(at now: Int64) {
    time = now + Int64(delay) * 1_000_000
    delay = min(delay * 2, max(Self.maxDelay, firstDelay))
  }
}
