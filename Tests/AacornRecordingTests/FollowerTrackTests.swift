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

  // MARK: Position and time

  /// A device with a tenth of a second of audio, whose first frame is at the mix's position 0.
  private func placedTrack() -> FollowerTrack {
    var track = FollowerTrack(TrackConfiguration("two"), Self.configuration, pace: .clock)
    track.feed(0.5, from: 0, frames: 4800)
    compare(&track)
    #expect(track.origin == 0)
    return track
  }

  /// Compares the track with a leader whose frame at time 0 has this position.
  private func compare(_ track: inout FollowerTrack, at position: Int = 0, leader: Int = 0) {
    let reference = TimeReference(
      position: Double(leader), time: 0, framesPerSecond: 48_000)
    _ = track.receive(at: position, needed: 0, reference, mayWait: false)
  }

  /// Twenty milliseconds are 960 frames.
  @Test(arguments: [(959, 0), (961, 961), (-959, 0), (-961, -961)])
  func misalignmentOfTwentyMillisecondsMovesTheTrack(error: Int, origin: Int) {
    var track = placedTrack()
    track.feed(0.5, from: 4800, frames: 480)
    compare(&track, leader: error)
    #expect(track.origin == origin)
  }

  @Test func silenceBeforeAMovedTrackIsAGap() {
    var track = placedTrack()
    var mix: [Float] = []
    track.take(4000, at: 0, into: &mix)
    track.feed(0.25, from: 4800, frames: 4800)
    compare(&track, at: 4000, leader: 4800)
    track.take(960, at: 4000, into: &mix)
    #expect(mix.count == 2 * 4960 && mix.suffix(2 * 960).allSatisfy { $0 == 0 })
    let gaps = track.takeEvents(at: 4960, isCut: true, wallTime: 0).compactMap { item in
      if case .gap(let gap) = item { gap } else { nil }
    }
    #expect(gaps.map { $0.position..<$0.position + $0.length } == [4000..<4960])
    #expect(gaps.map(\.cause) == [.unexplained])
  }

  @Test func framesThatTheMixHasPassedAreSkipped() {
    var track = placedTrack()
    track.feed(0.25, from: 4800, frames: 4800)
    var mix: [Float] = []
    track.take(480, at: 7200, into: &mix)
    #expect(mix.count == 960 && mix.allSatisfy { abs($0 - 0.25) < 0.01 })
  }

  @Test(arguments: [(1999, false), (2001, true)])
  func deviceIsLostAfterTwoSecondsWithoutABlock(milliseconds: Int64, isLost: Bool) {
    var track = placedTrack()
    track.idle(now: milliseconds * 1_000_000, at: 0)
    #expect(track.isLost == isLost)
  }

  /// The reason why a track has no next time: it is lost, has failed, or follows the mix.
  @Test(arguments: [nil, .deviceLost, .failed, .resumed] as [DeviceEvent?])
  func onlyADeviceThatDeliversHasANextTime(notice: DeviceEvent?) {
    var track = placedTrack()
    if notice == nil {
      track = FollowerTrack(TrackConfiguration("two"), Self.configuration, pace: .mix)
      track.feed(0.5, from: 0, frames: 4800)
    }
    if let notice { track.accept(CaptureBlock(notice, time: 0), [], at: 0) }
    #expect((track.nextTime == Self.time(4800)) == (notice == .resumed))
    if notice == .failed { return }
    // Without a next time, the track pauses at once.
    track.pause(true, at: 7, from: Self.time(9600))
    #expect(track.track.isToBePaused && track.track.isPaused == (notice != .resumed))
  }

  @Test func rateThatCannotBeConvertedEndsTheTrack() {
    var track = placedTrack()
    track.accept(CaptureBlock(of: [0, 0], at: 100, rate: 999), [0, 0], at: 0)
    #expect(track.isFinished && track.nextTime == nil)
    let failures = track.takeEvents(at: 0, isCut: false, wallTime: 0).compactMap { item in
      if case .trackFailed(let name, _) = item { name } else { nil }
    }
    #expect(failures == ["two"])
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
    gaps.add(at: 1000, count: 500, cause: .overrun)
    #expect(take(1999) == [] && take(2000) == [1000..<1500])
    // Frames that were reported are not reported again.
    gaps.add(at: 1400, count: 200, cause: .overrun)
    #expect(take(1600) == [] && take(1550, isCut: true) == [1500..<1550])
    #expect(take(2099) == [] && take(2100) == [1550..<1600])
    gaps.add(at: 10_000, count: 100_000, cause: .deviceLost)
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
    for (range, cause) in added { gaps.add(at: range.lowerBound, count: range.count, cause: cause) }
    let found = gaps.take(before: 10_000, isCut: true, wallTime: 0)
    #expect(found.map { $0.position..<$0.position + $0.length } == entries)
    // A known cause replaces an unknown one.
    if entries == [50..<250] { #expect(found[0].cause == .deviceLost) }
  }
}
