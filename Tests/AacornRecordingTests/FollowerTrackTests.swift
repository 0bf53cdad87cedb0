import AacornDevices
import Testing

@testable import AacornRecording

@Suite struct FollowerTrackTests {
  private static let configuration = RecordingConfiguration(
    sampleRate: 48_000, channelCount: 2, coding: .float32)

  private static func time(_ frame: Int) -> Int64 { Int64(frame) * 1_000_000_000 / 48_000 }

  /// The silence that replaces a missing device is generated partly before the mix needs it and
  /// partly too late.
  ///
  /// Nevertheless the absence is one gap.
  @Test func absenceIsOneGapWheneverItsSilenceArrives() throws {
    var track = FollowerTrack(TrackConfiguration("two"), Self.configuration, pace: .clock)
    var position = 0
    var leaderOffset = 0.0
    var (mix, gaps): ([Float], [RecordingGap]) = ([], [])
    func pass(_ count: Int) {
      _ = track.receive(
        at: position, needed: count,
        TimeReference(position: leaderOffset, time: 0, framesPerSecond: 48_000), mayWait: false)
      track.take(count, at: position, into: &mix)
      position += count
      for item in track.takeEvents(at: position, isCut: false, wallTime: 0) {
        if case .gap(let gap) = item { gaps.append(gap) }
      }
    }
    track.feed(0.5, from: 0, frames: 4800)
    pass(4000)
    track.accept(CaptureBlock(.deviceLost, time: Self.time(5000)), [], at: position)
    // The leader is missing, too, which moves its time. That does not affect the missing follower.
    leaderOffset = 2000
    for step in 0..<200 {
      // Silence is generated for frames older than 0.3 s.
      let now = Self.time(position + 14_400 + (step % 20 < 10 ? 480 : 0))
      if step % 5 != 1 { track.idle(now: now, at: position) }
      pass(step % 3 == 0 ? 960 : 480)
    }
    #expect(gaps.isEmpty, "The absence has not ended.")
    leaderOffset = 0
    let end = position + 9600
    for block in 0..<10 { track.feed(0.25, from: end + 4800 * block, frames: 4800) }
    for _ in 0..<80 { pass(480) }
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1 && gap.cause == .deviceLost && gap.isFilled && gap.track == "two")
    // Times are in whole nanoseconds.
    #expect(gap.position == 4800 && abs(gap.length - (end - 4800)) <= 1)
    // The reported gap matches the audible gap, except at the edges that the resampling filter
    // smears.
    let filter = 100
    #expect(mix[2 * filter..<2 * (4800 - filter)].allSatisfy { abs($0 - 0.5) < 0.01 })
    #expect(mix[2 * (4800 + filter)..<2 * (end - filter)].allSatisfy { $0 == 0 })
    #expect(mix[2 * (end + filter)..<2 * (end + 9600)].allSatisfy { abs($0 - 0.25) < 0.01 })
    #expect(abs(mix[2 * 4799]) > 0.1, "The filter outputs the last samples of the device.")
  }

  /// A minute of silence at once is discarded while it is created, if the mix has passed it.
  @Test func lateSilenceUsesNoMemory() {
    var track = FollowerTrack(TrackConfiguration("two"), Self.configuration, pace: .clock)
    track.feed(0.5, from: 0, frames: 480)
    let samples = constant(0.5, 960)
    var block = CaptureBlock(of: samples, at: 60 * 48_000)
    block.lostFrameCount = 60 * 48_000 - 480
    track.accept(block, samples, at: 0)
    // Without a known position, the last second is kept.
    #expect(track.track.frames.count / 2 <= 48_000)
  }

  @Test(arguments: [true, false])
  func stoppedTrackReportsOnlyTheAbsenceOfItsDevice(isLost: Bool) {
    var track = FollowerTrack(TrackConfiguration("two"), Self.configuration, pace: .clock)
    track.feed(0.5, from: 0, frames: 4800)
    track.stop()
    if isLost { track.accept(CaptureBlock(.deviceLost, time: 0), [], at: 0) }
    var mix: [Float] = []
    track.take(480, at: 4800, into: &mix)
    #expect(mix == constant(0, 960))
    let gaps = track.takeEvents(at: 5280, isCut: true, wallTime: 0).compactMap { item in
      if case .gap(let gap) = item { gap } else { nil }
    }
    #expect(gaps.map { $0.position..<$0.position + $0.length } == (isLost ? [4800..<5280] : []))
    #expect(gaps.allSatisfy { $0.cause == .deviceLost })
  }

  // MARK: Gaps

  @Test func gapsAreReportedAfterHalfASecondAndEveryMinute() {
    var gaps = FollowerGaps("mic", sampleRate: 1000)
    func take(_ position: Int, isCut: Bool = false) -> [Range<Int>] {
      let found = gaps.take(before: position, isCut: isCut, wallTime: 7)
      #expect(
        found.allSatisfy { $0.wallTime == 7 + Int64($0.position) * 1_000_000 && $0.track == "mic" })
      return found.map { $0.position..<$0.position + $0.length }
    }
    gaps.add(1000, 500, .overrun)
    #expect(take(1999) == [] && take(2000) == [1000..<1500])
    // Frames that were reported are not reported again.
    gaps.add(1400, 200, .overrun)
    #expect(take(1600) == [] && take(1550, isCut: true) == [1500..<1550])
    #expect(take(2099) == [] && take(2100) == [1550..<1600])
    gaps.add(10_000, 100_000, .deviceLost)
    #expect(take(69_999) == [] && take(70_000) == [10_000..<70_000])
    #expect(take(80_000, isCut: true) == [70_000..<80_000] && take(110_499) == [])
    #expect(take(110_500) == [80_000..<110_000] && take(200_000, isCut: true) == [])
  }

  static let gaps: [(added: [(Range<Int>, RecordingGap.Cause)], entries: [Range<Int>])] = [
    // A later gap extends an entry in both directions.
    ([(100..<200, .unexplained), (50..<250, .deviceLost)], [50..<250]),
    (
      [(100..<200, .overrun), (300..<400, .unexplained), (10..<20, .overrun)],
      [10..<20, 100..<200, 300..<400]
    ),
    ([(100..<200, .overrun), (300..<400, .unexplained), (200..<300, .overrun)], [100..<400]),
  ]

  @Test(arguments: gaps)
  func adjacentGapsAreJoined(
    added: [(Range<Int>, RecordingGap.Cause)], entries: [Range<Int>]
  ) {
    var gaps = FollowerGaps("mic", sampleRate: 1000)
    for (range, cause) in added { gaps.add(range.lowerBound, range.count, cause) }
    let found = gaps.take(before: 10_000, isCut: true, wallTime: 0)
    #expect(found.map { $0.position..<$0.position + $0.length } == entries)
    // A known cause replaces an unknown one.
    if entries == [50..<250] { #expect(found[0].cause == .deviceLost) }
  }
}
