import AacornDevices
import Testing

@testable import AacornRecording

/// The work of a track after blocks and events of its device, exactly.
@Suite struct SourceTrackTests {
  private static let counter = counterSamples(frames: 96_000)

  private static func time(_ frame: Int) -> Int64 { Int64(frame) * 1_000_000_000 / 48_000 }

  /// A track of a device whose frame n is captured n/48,000 s after time 0.
  private struct Rig {
    var track = SourceTrack(.stereo(.float32), followsClock: true)

    /// Delivers a block, which has the samples of a counter.
    mutating func feed(
      _ frames: Range<Int>, late: Int = 0, _ change: (inout CaptureBlock) -> Void = { _ in }
    ) {
      let samples = Array(counter[2 * frames.lowerBound..<2 * frames.upperBound])
      var block = CaptureBlock(of: samples, at: frames.lowerBound + late)
      change(&block)
      track.accept(block, samples, from: nil)
    }

    /// Delivers one second in blocks of 10 ms.
    mutating func settle() {
      for index in 0..<100 { feed(480 * index..<480 * (index + 1)) }
    }

    mutating func notify(_ event: DeviceEvent) {
      track.accept(CaptureBlock(event, time: 0), [], from: nil)
    }

    /// Does all work, and returns the number of frames.
    mutating func run() throws -> Int {
      while try track.advance() {}
      return track.frames.count / 2
    }

    var gaps: [RecordingGap] {
      track.events.compactMap { event in if case .gap(let gap) = event { gap } else { nil } }
    }

    /// The reports of stalls and their ends.
    var stalls: [RecorderEvent] { track.events.filter { $0 == .stalled || $0 == .resumed } }

    func expectGaps(_ expected: [(Range<Int>, RecordingGap.Cause)]) {
      #expect(gaps.map { $0.position..<$0.position + $0.length } == expected.map(\.0))
      #expect(gaps.map(\.cause) == expected.map(\.1))
    }

    func expectWallTimes() {
      for gap in gaps {
        #expect(abs(gap.wallTime - track.startWallTime - time(gap.position)) < 50_000)
      }
    }
  }

  static let absences: [(event: DeviceEvent?, cause: RecordingGap.Cause?)] = [
    (.deviceLost, .deviceLost), (.suspended, .suspended), (.ended, nil), (nil, .unexplained),
  ]

  /// Silence follows the clock at a distance of 0.3 s.
  @Test(arguments: absences)
  func lateBlockPrecedesAnAbsence(event: DeviceEvent?, cause: RecordingGap.Cause?) throws {
    var rig = Rig()
    rig.settle()
    rig.feed(48_000..<48_480, late: 24_000)
    #expect(try rig.run() == 48_000)
    #expect(rig.track.nextTime != nil)
    if let event { rig.notify(event) }
    rig.track.idle(now: Self.time(77_280) + 300_010_000, isStalled: event == nil)
    #expect(try rig.run() == 72_480 + (cause == nil ? 0 : 4800))
    #expect(rig.track.nextTime == nil)
    rig.track.closeGap()
    rig.expectGaps(
      [(48_000..<72_000, .unexplained)] + (cause.map { [(72_480..<77_280, $0)] } ?? []))
    rig.expectWallTimes()
  }

  @Test(arguments: 0..<4) func lateBlockIsUsedBeforeAnotherStep(number: Int) throws {
    var rig = Rig()
    rig.settle()
    rig.feed(48_000..<48_480, late: 24_000)
    let slept = rig.track.lastSleptTime
    switch number {
    case 0: rig.track.addDropped(frameCount: 960)
    case 1: rig.track.recordSleep(slept + 200_001_000)
    case 2: rig.track.changeSource(to: nil)
    default: rig.track.end(at: nil)
    }
    let silence = [960, 9600, 0, 0][number]
    #expect(try rig.run() == 72_480 + silence)
    rig.track.closeGap()
    let gaps: [(Range<Int>, RecordingGap.Cause)] = [
      (72_480..<73_440, .programLate), (72_480..<82_080, .suspended),
    ]
    rig.expectGaps(
      [(48_000..<72_000, .unexplained)] + gaps.dropFirst(number).prefix(silence > 0 ? 1 : 0))
    rig.expectWallTimes()
  }

  @Test func sleepOfMoreThanATenthOfASecondIsAGap() throws {
    var rig = Rig()
    rig.settle()
    let slept = rig.track.lastSleptTime
    rig.track.recordSleep(slept + 100_000_000)
    #expect(try rig.run() == 48_000)
    rig.track.recordSleep(slept + 200_000_001)
    #expect(try rig.run() == 52_800)
    rig.expectGaps([(48_000..<52_800, .suspended)])
    rig.expectWallTimes()
  }

  @Test(arguments: [
    (false, 300_000_000, 0), (false, 300_000_001, 14_400), (true, 100_001_000, 4800),
  ])
  func endIsFilledIfTheDeviceIsMissing(isLost: Bool, nanoseconds: Int64, silence: Int) throws {
    var rig = Rig()
    rig.settle()
    if isLost { rig.notify(.deviceLost) }
    let next = try #require(rig.track.timeline.clock?.nextTime)
    rig.track.end(at: next + nanoseconds)
    #expect(try rig.run() == 48_000 + silence)
    let cause: RecordingGap.Cause = isLost ? .deviceLost : .unexplained
    rig.expectGaps(silence == 0 ? [] : [(48_000..<48_000 + silence, cause)])
    rig.expectWallTimes()
  }

  @Test(arguments: [true, false]) func earlyBlocksAreRepeatedOrSurplus(isAnnounced: Bool) throws {
    var rig = Rig()
    rig.settle()
    if isAnnounced { rig.notify(.deviceChanged) }
    for index in 100..<150 { rig.feed(480 * index..<480 * (index + 1), late: -9600) }
    #expect(try rig.run() == (isAnnounced ? 62_400 : 72_000))
    let rest = Array(rig.track.frames.dropFirst(2 * 48_000))
    // The new device repeats the last fifth of a second.
    #expect(rest == Array(Self.counter[2 * (isAnnounced ? 57_600 : 48_000)..<2 * 72_000]))
    rig.expectGaps(isAnnounced ? [] : [(52_800..<62_400, .surplus)])
    let wallTime = Self.time(52_320 - 9600) + rig.track.wallOffset
    #expect(rig.gaps.allSatisfy { $0.wallTime == wallTime })
  }

  /// Frames and losses of the new source that the old one has recorded are dropped.
  @Test(arguments: [
    (-1000, 0, 0), (-240, 100, 240), (0, 100, 480), (100, 480, 580), (100, 100, 580),
  ])
  func overlapOfSourcesIsDropped(distance: Int, lostCount: Int, added: Int) throws {
    var rig = Rig()
    rig.settle()
    rig.track.changeSource(to: nil)
    let first = 48_000 + distance
    rig.feed(first..<first + 480) { $0.lostFrameCount = lostCount }
    #expect(try rig.run() == 48_000 + added)
    let expected = Self.counter[2 * max(first, 48_000)..<2 * (48_000 + added)]
    #expect(Array(rig.track.frames.suffix(expected.count)) == Array(expected))
    rig.feed(48_000 + added..<48_480 + added)
    #expect(try rig.run() == 48_480 + added)
  }

  @Test func eventsOfTheDeviceAreReportedInOrder() throws {
    var rig = Rig()
    rig.feed(0..<480)
    let notices: [DeviceEvent] = [
      .deviceLost, .deviceReturned, .suspended, .resumed, .deviceChanged,
    ]
    for notice in notices { rig.notify(notice) }
    #expect(try rig.run() == 480)
    #expect(
      rig.track.events.dropFirst() == [
        .deviceLost, .deviceReturned(nil), .suspended, .resumed, .deviceChanged(nil),
      ])
  }

  @Test func stallIsReportedOnceAndItsEnd() throws {
    var rig = Rig()
    rig.settle()
    let start = Self.time(48_000)
    rig.track.idle(now: start + 1_950_000_000, isStalled: false)
    for index in 0..<20 {
      rig.track.idle(now: start + 2_000_000_000 + 50_000_000 * Int64(index), isStalled: true)
    }
    _ = try rig.run()
    #expect(rig.stalls == [.stalled])
    for index in 100..<120 { rig.feed(480 * index..<480 * (index + 1), late: 144_000) }
    _ = try rig.run()
    #expect(rig.stalls == [.stalled, .resumed])
  }

  /// After a suspension of the process, the clock has moved on, but the blocks are waiting.
  @Test func stallOfOnePollCausesNoEvent() throws {
    var rig = Rig()
    rig.settle()
    rig.track.idle(now: Self.time(48_000) + 5_000_000_000, isStalled: true)
    for index in 100..<120 { rig.feed(480 * index..<480 * (index + 1)) }
    _ = try rig.run()
    #expect(rig.stalls.isEmpty)
  }

  @Test(arguments: [DeviceEvent.deviceLost, .suspended])
  func lostDeviceCausesNoStallEvent(event: DeviceEvent) throws {
    var rig = Rig()
    rig.settle()
    rig.notify(event)
    for _ in 0..<3 { rig.track.idle(now: Self.time(480_000), isStalled: true) }
    for index in 100..<120 { rig.feed(480 * index..<480 * (index + 1), late: 432_000) }
    _ = try rig.run()
    #expect(rig.stalls.isEmpty)
  }

  /// An app may stop its device during a pause.
  @Test func stallDuringAPauseIsReportedAfterIt() throws {
    var rig = Rig()
    rig.settle()
    rig.track.pause(true, at: 0)
    for _ in 0..<3 { rig.track.idle(now: Self.time(480_000), isStalled: true) }
    _ = try rig.run()
    #expect(rig.stalls.isEmpty)
    rig.track.pause(false, at: 0)
    rig.track.idle(now: Self.time(480_000), isStalled: true)
    _ = try rig.run()
    #expect(rig.stalls == [.stalled])
  }

  @Test func blockWithoutFramesDoesNotEndAnAbsence() {
    var rig = Rig()
    rig.settle()
    rig.notify(.deviceLost)
    rig.feed(48_000..<48_000)
    #expect(rig.track.absence == .deviceLost)
    rig.feed(48_000..<48_000) { $0.lostFrameCount = 1 }
    #expect(rig.track.absence == nil)
  }

  // MARK: Pauses

  /// The last recorded frame of a block for a pause requested at a time in nanoseconds.
  ///
  /// The block has the frames 4,800 to 9,600, from 100 ms on.
  static let pauses: [(time: Int64, isReliable: Bool, end: Int)] = [
    (125_000_000, true, 6000), (125_000_000, false, 4800), (50_000_000, true, 4800),
    (199_979_167, true, 9599), (1_099_999_999, true, 9600), (1_100_000_000, true, 4800),
  ]

  @Test(arguments: pauses)
  func pauseBeginsWithTheRequestedFrame(time: Int64, isReliable: Bool, end: Int) throws {
    var rig = Rig()
    rig.feed(0..<4800)
    #expect(try rig.run() == 4800)
    rig.track.pause(true, at: 7, from: time)
    rig.feed(4800..<9600) { $0.isTimeReliable = isReliable }
    // A block without a reliable time is held.
    rig.track.resolveHeldBlocks()
    #expect(try rig.run() == end)
    #expect(rig.track.isPaused == (end < 9600))
    rig.track.pause(false, at: 9)
    #expect(try rig.run() == end)
    rig.expectGaps(end < 9600 ? [(end..<9600, .paused)] : [])
    #expect(rig.gaps.allSatisfy { $0.wallTime == 7 + rig.track.wallOffset })
  }

  @Test func pauseWithinABlockOmitsItsFrames() throws {
    var rig = Rig()
    rig.feed(0..<4800)
    rig.track.pause(true, at: 7, from: Self.time(6000))
    rig.track.pause(true, at: 8, from: Self.time(7000))
    rig.track.pause(false, at: 9, from: Self.time(8000))
    rig.feed(4800..<9600)
    #expect(try rig.run() == 7600)
    #expect(rig.track.frames == Array(Self.counter[..<12_000] + Self.counter[16_000..<19_200]))
    rig.expectGaps([(6000..<8000, .paused)])
    let states = rig.track.events.compactMap { event in
      if case .paused(let isPaused) = event { isPaused } else { nil }
    }
    #expect(states == [true, false])
    // A pause without frames is not a gap.
    for isPaused in [true, false] { rig.track.pause(isPaused, at: 10) }
    #expect(rig.gaps.count == 1)
  }
}
