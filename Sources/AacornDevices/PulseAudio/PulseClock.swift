#if os(Linux)
import AacornSystem

/// Computes the times at which the bytes of a stream were captured, or are played.
///
/// From time to time the server reports the position to which it has written the stream, and its
/// latency. The report determines the capture time of the stream's first byte, and so of every
/// byte:
///
///     stream   0 ─────────── read ──────────── written ┄ transport + source latency ┄ now
///     time     origin ──────► time of a block          ◄────────── reported ─────────►
///
/// For playback, the server reports the position to which it has read the stream, and the time
/// until those bytes are played: a negative latency.
///
/// A new report arrives at least every 1.5 s, so that clocks that differ by 100 ppm are never off
/// by more than 0.15 ms. libpulse's own smoothing between reports is not used: it never lets the
/// time run backward, and so hides a gap of seconds by a slow drift.
struct PulseClock {
  /// A report of the server, in nanoseconds and bytes.
  struct Report {
    /// The number of bytes that had been written, or read for playback, when the report was made.
    var writtenByteCount: Int64
    /// The age of the report when it arrived.
    var transport: Int64
    /// The age of the last of those bytes when the report was made; negative if they had yet to be
    /// played.
    var latency: Int64
  }

  private let rate: Int
  private let frameByteCount: Int64
  /// The capture time of the first byte.
  private var origin: Int64?
  /// The number of reports averaged in `origin`.
  private var reportCount: Int64 = 0
  /// Whether a response from the server is pending.
  private(set) var hasPendingRequest = false
  /// The position from which the last response is valid; earlier bytes were in transit at its time.
  private var answeredFrom: Int64 = 0
  /// The start time of the next block if no samples are missing.
  private var expectedTime: Int64?

  /// Creates a clock for a stream of this rate and frame size.
  init(rate: Int, frameByteCount: Int) {
    self.rate = rate
    self.frameByteCount = Int64(frameByteCount)
  }

  /// The time up to which everything has been delivered; nil before the first block.
  var capturedUntil: Int64? { expectedTime }

  /// Returns the time at which the byte at `position` is captured or played; nil before any report.
  func measuredTime(at position: Int64) -> Int64? {
    origin.map { $0 + duration(position) }
  }

  /// Discards all reports, such as after a suspension.
  mutating func reset() {
    origin = nil
    reportCount = 0
    expectedTime = nil
  }

  /// Records that a report was requested, since the last report may be misleading.
  mutating func recordRequest() {
    hasPendingRequest = true
  }

  /// Processes the response to the request; `report` is nil if the server could not make a report.
  ///
  /// The bytes that the server had written before the response are assumed to follow the earlier
  /// bytes without a gap. If the server could not write all captured audio for a while, the gap is
  /// placed after these bytes.
  mutating func answer(_ report: Report?, now: Int64) {
    guard let report, isUsable(report) else { return }
    hasPendingRequest = false
    reportCount = 0
    take(report, now: now)
    answeredFrom = report.writtenByteCount
  }

  /// The time that the first bytes wait for a response, in nanoseconds.
  private static let answerTimeoutNanoseconds: Int64 = 100_000_000

  /// Whether the first bytes should wait for the response to a request that was made at `asked`.
  ///
  /// Without a response only the arrival of the bytes determines their capture time. The monitor of
  /// an output delivers bytes before they are played. If their times were estimated by arrival,
  /// later bytes would seem some milliseconds late.
  func shouldWait(since asked: Int64, now: Int64) -> Bool {
    hasPendingRequest && expectedTime == nil && now - asked < Self.answerTimeoutNanoseconds
  }

  /// Processes an unsolicited report; returns whether to request another report, because this
  /// report contradicts the earlier ones.
  ///
  /// A server that is preempted while it makes a report states too large a latency. So a
  /// contradicting report is not used. Instead the server must be queried, and its response is
  /// valid. The library also passes a response to this method before it calls back. So while
  /// `isAsked` is true, another request is useless.
  mutating func refine(_ report: Report, now: Int64, isAsked: Bool) -> Bool {
    guard isUsable(report) else { return false }
    if reportCount > 0, let origin,
      abs(reportedOrigin(report, now: now) - origin) >= Self.agreementTolerance
    {
      return !isAsked
    }
    take(report, now: now)
    return false
  }

  /// Returns the capture time of the frames at `position` in the stream, and whether it is
  /// measured.
  ///
  /// `queued` is the number of bytes that have arrived from that position on. It allows an estimate
  /// before the first report.
  func time(at position: Int64?, queued: Int64, now: Int64) -> (Int64, isMeasured: Bool) {
    let measured = position.flatMap(measuredTime)
    if !hasPendingRequest, let position, let measured, position >= answeredFrom {
      return (measured, true)
    }
    // The most reliable first: the end of the previous block, a report that may be misleading, and
    // the arrival.
    return (expectedTime ?? measured ?? now - duration(queued), false)
  }

  /// Records that a block of this many bytes, starting at `time`, was delivered.
  mutating func advance(from time: Int64, byteCount: Int64) {
    expectedTime = time + duration(byteCount)
  }

  /// Records that this many bytes are missing before the next block.
  mutating func skip(byteCount: Int64) {
    if let expectedTime { self.expectedTime = expectedTime + duration(byteCount) }
  }

  /// Returns the duration of this many bytes in nanoseconds.
  func duration(_ byteCount: Int64) -> Int64 {
    System.nanoseconds(ofFrames: byteCount / frameByteCount, at: rate)
  }

  /// Whether a report is plausible.
  ///
  /// A report arrives within milliseconds. A longer transport means that a wall clock was set in
  /// the meantime.
  private func isUsable(_ report: Report) -> Bool {
    report.transport >= 0 && report.transport < 1_000_000_000
  }

  /// The difference between reports below which they agree, in nanoseconds.
  private static let agreementTolerance: Int64 = 20_000_000

  /// Returns the capture time of the first byte, by this report alone.
  private func reportedOrigin(_ report: Report, now: Int64) -> Int64 {
    now - duration(report.writtenByteCount) - report.transport - report.latency
  }

  /// Adds a report to the average, because each report is off by up to the length of the server's
  /// own blocks.
  ///
  /// The average covers at most eight reports, to follow the device's clock.
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
