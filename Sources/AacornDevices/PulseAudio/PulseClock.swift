#if os(Linux)
/// Computes when the bytes of a stream were captured, or are heard.
///
/// From time to time the server reports how far it has written the stream and how late it is. That
/// gives the time at which the stream's first byte was captured, and with it that of every byte:
///
///     stream   0 ─────────── read ──────────── written ┄ transport + source latency ┄ now
///     time     origin ──────► time of a block          ◄────────── reported ─────────►
///
/// Of a stream that is played, the server reports how far it has read it and how long that takes to
/// be heard: a latency below zero.
///
/// A new report comes at least every 1.5 s, so that clocks that differ by 100 ppm are never off by
/// more than 0.15 ms. libpulse's own smoothing between reports is not used: it never lets the time
/// run backwards, and so hides a gap of seconds behind a slow drift.
struct PulseClock {
  /// What the server reports, in nanoseconds and bytes.
  struct Report {
    /// How much of the stream had been written, or read to be played, when the report was made.
    var writtenByteCount: Int64
    /// How old the report was on arrival.
    var transport: Int64
    /// How old the last of it was then; negative where it has yet to be played.
    var latency: Int64
  }

  private let rate: Int64
  private let frameByteCount: Int64
  /// When the first byte was captured.
  private var origin: Int64?
  /// How many reports `origin` is an average of.
  private var reportCount: Int64 = 0
  /// Whether an answer from the server is pending.
  private(set) var hasOpenQuestion = false
  /// The position from which the last answer holds; earlier bytes were already on their way.
  private var answeredFrom: Int64 = 0
  /// When the next block begins if nothing is missing.
  private var expectedTime: Int64?

  /// Creates a clock for a stream of this rate and frame size.
  init(rate: Int, frameByteCount: Int) {
    self.rate = Int64(rate)
    self.frameByteCount = Int64(frameByteCount)
  }

  /// Until when everything has been delivered; nil before the first block.
  var capturedUntil: Int64? { expectedTime }

  /// When the byte at `position` is captured or heard; nil as long as no report told.
  func measuredTime(at position: Int64) -> Int64? {
    origin.map { $0 + duration(position) }
  }

  /// Discards everything known, as after the device has slept.
  mutating func forget() {
    origin = nil
    reportCount = 0
    expectedTime = nil
  }

  /// Records that the server is asked for a report, since the last one may mislead.
  mutating func ask() {
    hasOpenQuestion = true
  }

  /// Takes the report for the question; nil if the server could not make one.
  ///
  /// What the server had written by then is assumed to follow what came before without a gap: if it
  /// could not write everything for a while, the gap comes after that.
  mutating func answer(_ report: Report?, now: Int64) {
    guard let report, isUsable(report) else { return }
    hasOpenQuestion = false
    reportCount = 0
    take(report, now: now)
    answeredFrom = report.writtenByteCount
  }

  /// How long the first bytes wait for an answer, in nanoseconds.
  private static let patience: Int64 = 100_000_000

  /// Whether the first bytes should wait for the answer to a question that was asked at `asked`.
  ///
  /// Without it only their arrival tells when they were captured. What the monitor of an output
  /// delivers has yet to be heard, so that what follows would be some milliseconds too late.
  func shouldWait(since asked: Int64, now: Int64) -> Bool {
    hasOpenQuestion && expectedTime == nil && now - asked < Self.patience
  }

  /// Takes an unsolicited report; returns whether the server is to be asked, since it contradicts the
  /// earlier ones.
  ///
  /// A server that loses its turn while it makes a report tells of a lateness that nothing has. So a
  /// contradiction is not taken: the server is to be asked, and its answer holds. The library tells of
  /// an answer in this way, too, before it gives it: while `isAsked`, another question is of no use.
  mutating func refine(_ report: Report, now: Int64, isAsked: Bool) -> Bool {
    guard isUsable(report) else { return false }
    if reportCount > 0, let origin, abs(reportedOrigin(report, now: now) - origin) >= Self.accord {
      return !isAsked
    }
    take(report, now: now)
    return false
  }

  /// When the frames at `position` in the stream were captured, and whether that is measured.
  ///
  /// `queued` is how many bytes have arrived from there on; it gives an estimate before the first
  /// report.
  mutating func time(at position: Int64?, queued: Int64, now: Int64) -> (Int64, isMeasured: Bool) {
    if !hasOpenQuestion, let origin, let position, position >= answeredFrom {
      return (origin + duration(position), true)
    }
    if let expectedTime { return (expectedTime, false) }
    if let origin, let position { return (origin + duration(position), false) }
    return (now - duration(queued), false)
  }

  /// Records that a block of this many bytes, starting at `time`, was delivered.
  mutating func advance(from time: Int64, byteCount: Int64) {
    expectedTime = time + duration(byteCount)
  }

  /// Records that this many bytes are missing before the next block.
  mutating func skip(byteCount: Int64) {
    if let expectedTime { self.expectedTime = expectedTime + duration(byteCount) }
  }

  /// The duration of this many bytes in nanoseconds; the division is split so that days do not
  /// overflow.
  func duration(_ byteCount: Int64) -> Int64 {
    let frameCount = byteCount / frameByteCount
    return frameCount / rate * 1_000_000_000 + frameCount % rate * 1_000_000_000 / rate
  }

  /// A report takes milliseconds; one that claims more was made while a wall clock was being set.
  private func isUsable(_ report: Report) -> Bool {
    report.transport >= 0 && report.transport < 1_000_000_000
  }

  /// How far reports may lie apart that tell the same, in nanoseconds.
  private static let accord: Int64 = 20_000_000

  /// When the first byte was captured, by this report alone.
  private func reportedOrigin(_ report: Report, now: Int64) -> Int64 {
    now - duration(report.writtenByteCount) - report.transport - report.latency
  }

  /// Averages reports, which are off by up to the length of the server's own blocks.
  ///
  /// The average covers at most eight, to follow the device's clock.
  private mutating func take(_ report: Report, now: Int64) {
    let reported = reportedOrigin(report, now: now)
    guard let known = origin, reportCount > 0 else {
      origin = reported
      reportCount = 1
      return
    }
    reportCount = min(reportCount + 1, 8)
    origin = known + (reported - known) / reportCount
  }
}
#endif
