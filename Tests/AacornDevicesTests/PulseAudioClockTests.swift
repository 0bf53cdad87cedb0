import Testing

@testable import AacornDevices

/// The arithmetic of capture times, with a stream of 1000 frames of two bytes a second.
struct PulseAudioClockTests {
  private static let millisecond: Int64 = 1_000_000

  private static func report(
    written: Int64, transport: Int64 = 1, latency: Int64 = 10
  ) -> PulseClock.Report {
    PulseClock.Report(
      writtenByteCount: written, transport: transport * millisecond,
      latency: latency * millisecond)
  }

  @Test func theFirstBytesWaitForAnAnswerButNotForLong() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    #expect(!clock.shouldWait(since: 0, now: 0))
    clock.recordRequest()
    #expect(clock.shouldWait(since: 0, now: 5 * Self.millisecond))
    #expect(clock.shouldWait(since: 0, now: 99 * Self.millisecond))
    #expect(!clock.shouldWait(since: 0, now: 100 * Self.millisecond))
    clock.answer(Self.report(written: 10, transport: 0, latency: -14), now: 6 * Self.millisecond)
    #expect(!clock.shouldWait(since: 0, now: 6 * Self.millisecond))
    // The first samples have a measured time, like later ones. A time estimated from their arrival
    // would be too early, because a monitor delivers samples before they are audible.
    let (time, _) = clock.time(at: 0, queued: 10, now: 6 * Self.millisecond)
    #expect(time == (6 + 14 - 5) * Self.millisecond)
    clock.advance(from: time, byteCount: 10)
    #expect(clock.time(at: 10, queued: 0, now: 7 * Self.millisecond).0 == 20 * Self.millisecond)
    // Later samples do not wait.
    clock.recordRequest()
    #expect(!clock.shouldWait(since: 0, now: 7 * Self.millisecond))
  }

  @Test func reportDeterminesCaptureTimeOfEachByte() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    clock.recordRequest()
    // 100 ms are written; the last frame was captured 11 ms ago.
    clock.answer(Self.report(written: 200), now: 1000 * Self.millisecond)
    let (time, isMeasured) = clock.time(at: 220, queued: 20, now: 1020 * Self.millisecond)
    #expect(time == (1000 - 11 - 100 + 110) * Self.millisecond)
    #expect(isMeasured)
    // The report does not measure samples that were in transit when it was made.
    #expect(clock.time(at: 180, queued: 60, now: 1020 * Self.millisecond).isMeasured == false)
  }

  @Test func reportDeterminesPresentationTimeOfPlayedBytes() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    #expect(clock.measuredTime(at: 0) == nil)
    // 100 ms were read 1 ms ago; the last frame is audible 50 ms later.
    _ = clock.refine(
      Self.report(written: 200, latency: -50), now: 1000 * Self.millisecond, isAsked: false)
    #expect(clock.measuredTime(at: 200) == 1049 * Self.millisecond)
    #expect(clock.measuredTime(at: 260) == 1079 * Self.millisecond)
    clock.reset()
    #expect(clock.measuredTime(at: 200) == nil)
  }

  @Test func gapFollowsDataRetainedByTheServer() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    clock.answer(Self.report(written: 0, transport: 0, latency: 0), now: 0)
    var (time, isMeasured) = clock.time(at: 0, queued: 200, now: 100 * Self.millisecond)
    clock.advance(from: time, byteCount: 200)
    #expect(time == 0 && isMeasured)
    // The program stalls for 10 s; the server could buffer 2 s.
    clock.recordRequest()
    (time, isMeasured) = clock.time(at: 200, queued: 4000, now: 10_100 * Self.millisecond)
    #expect(time == 100 * Self.millisecond && !isMeasured)
    clock.advance(from: time, byteCount: 2000)
    clock.answer(
      Self.report(written: 4200, transport: 0, latency: 0), now: 10_100 * Self.millisecond)
    (time, isMeasured) = clock.time(at: 2200, queued: 2000, now: 10_101 * Self.millisecond)
    #expect(time == 1100 * Self.millisecond && !isMeasured)
    clock.advance(from: time, byteCount: 2000)
    (time, isMeasured) = clock.time(at: 4200, queued: 0, now: 10_110 * Self.millisecond)
    #expect(time == 10_100 * Self.millisecond && isMeasured)
  }

  @Test func aHoleTakesItsTime() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    clock.recordRequest()
    clock.advance(from: 0, byteCount: 20)
    clock.skip(byteCount: 100)
    #expect(clock.time(at: nil, queued: 0, now: 0).0 == 60 * Self.millisecond)
    #expect(clock.capturedUntil == 60 * Self.millisecond)
  }

  @Test func aReportMadeWhileTheWallClockWasSetIsIgnored() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    clock.answer(Self.report(written: 0, transport: 0, latency: 0), now: 0)
    let isQueried = clock.refine(
      Self.report(written: 100, transport: 3_600_000), now: 50 * Self.millisecond, isAsked: false)
    #expect(!isQueried)
    #expect(clock.time(at: 100, queued: 0, now: 0).0 == 50 * Self.millisecond)
    clock.recordRequest()
    clock.answer(Self.report(written: 100, transport: 3_600_000), now: 50 * Self.millisecond)
    #expect(clock.hasPendingRequest)
  }

  @Test(arguments: [(-1, false), (0, true), (999, true), (1000, false)] as [(Int64, Bool)])
  func reportWithPlausibleTransportIsUsed(transport: Int64, isUsed: Bool) {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    let report = Self.report(written: 0, transport: transport, latency: 0)
    _ = clock.refine(report, now: 0, isAsked: false)
    #expect((clock.measuredTime(at: 0) != nil) == isUsed)
    clock.recordRequest()
    clock.answer(report, now: 0)
    #expect(clock.hasPendingRequest != isUsed)
  }

  /// Each report is averaged with up to seven earlier ones, unless they differ by 20 ms.
  @Test(arguments: [
    (1, 16, 8.0), (7, 16, 2), (100, 16, 2), (100, -16, -2), (3, 19, 4.75), (3, 20, nil),
  ])
  func reportsAreAveraged(before: Int, late: Int64, mean: Double?) {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    let report = Self.report(written: 0, transport: 0, latency: 0)
    for _ in 0..<before { _ = clock.refine(report, now: 0, isAsked: false) }
    let isQueried = clock.refine(report, now: late * Self.millisecond, isAsked: false)
    #expect(isQueried == (mean == nil))
    #expect(clock.measuredTime(at: 0).map(Double.init) == (mean ?? 0) * 1e6)
  }

  @Test func aReportThatContradictsTheEarlierOnesIsAskedAboutAndNotTaken() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    clock.answer(Self.report(written: 0, transport: 0, latency: 0), now: 0)
    // Reports that nearly agree are averaged.
    var isQueried = clock.refine(
      Self.report(written: 200, transport: 0, latency: 0), now: 104 * Self.millisecond,
      isAsked: false)
    #expect(!isQueried)
    #expect(clock.measuredTime(at: 0) == 2 * Self.millisecond)
    // A report from a server that stalled while making it.
    let late = Self.report(written: 400, transport: 0, latency: 0)
    isQueried = clock.refine(late, now: 230 * Self.millisecond, isAsked: false)
    #expect(isQueried)
    #expect(clock.measuredTime(at: 0) == 2 * Self.millisecond)
    // A second report with the same values confirms it.
    clock.recordRequest()
    clock.answer(late, now: 230 * Self.millisecond)
    #expect(clock.measuredTime(at: 0) == 30 * Self.millisecond)
  }

  /// Each response of a server is accepted, although the library first delivers it as a report.
  @Test func contradictingReportsTriggerOneQueryEach() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    clock.answer(Self.report(written: 0, transport: 0, latency: 0), now: 0)
    var questionCount = 0
    for second in 1...1000 as ClosedRange<Int64> {
      let report = Self.report(written: 2000 * second, transport: 0, latency: second % 2 * 500)
      let now = 1000 * second * Self.millisecond
      let isQueried = clock.refine(report, now: now, isAsked: false)
      #expect(isQueried, "It said something else a second ago.")
      guard isQueried else { return }
      questionCount += 1
      clock.recordRequest()
      // Neither the response nor the report before it triggers another query.
      for other in [report, Self.report(written: 2000 * second, transport: 0, latency: 250)] {
        let isQueriedAgain = clock.refine(other, now: now, isAsked: true)
        #expect(!isQueriedAgain)
      }
      clock.answer(report, now: now)
      #expect(!clock.hasPendingRequest)
      #expect(clock.measuredTime(at: 0) == -(second % 2 * 500) * Self.millisecond)
      // A report that repeats its values triggers no query.
      let isQueriedStill = clock.refine(report, now: now, isAsked: false)
      #expect(!isQueriedStill)
    }
    #expect(questionCount == 1000)
  }

  @Test func clockResetDiscardsReports() {
    var clock = PulseClock(rate: 1000, frameByteCount: 2)
    clock.answer(Self.report(written: 0), now: 0)
    clock.advance(from: 0, byteCount: 20)
    clock.reset()
    clock.recordRequest()
    let (time, isMeasured) = clock.time(at: 20, queued: 20, now: 9000 * Self.millisecond)
    #expect(time == 8990 * Self.millisecond)
    #expect(!isMeasured)
  }

  @Test func yearsOfSoundDoNotOverflow() {
    let clock = PulseClock(rate: 192_000, frameByteCount: 32)
    let year: Int64 = 365 * 86400
    #expect(clock.duration(year * 192_000 * 32) == year * 1_000_000_000)
  }
}
