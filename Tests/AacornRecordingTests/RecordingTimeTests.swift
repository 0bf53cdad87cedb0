import AacornDevices
import AacornSystem
import DeviceRigs
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

/// The time limits of a recording, exactly.
@Suite(.simulated(seeds: 3)) struct RecordingTimeTests {
  private let events = Lock<[RecorderEvent]>([])
  private let origin: Int64
  private let device: HandFedSource

  init() {
    origin = System.nanoseconds
    device = HandFedSource("mic", origin: origin)
  }

  private func start(
    _ devices: HandFedSource..., outputs: [any PacketOutput] = [], duration: Duration? = nil
  ) throws -> RecordingSession {
    let session = RecordingSession(.stereo(.int16) { $0.duration = duration }) { [events] event in
      events.withLock { $0.append(event) }
    }
    if devices.count == 1 {
      try session.start(devices[0], outputs: outputs)
    } else {
      try session.start(
        devices.map { TrackSource(TrackConfiguration($0.device?.id ?? ""), from: $0) },
        outputs: outputs)
    }
    return session
  }

  private func stop(_ session: RecordingSession) throws -> RecordingSummary {
    session.stop()
    return try finalSummary(of: session)
  }

  private var now: Int { Int((System.nanoseconds - origin) * 48 / 1_000_000) }

  /// Delivers what devices have captured, every 10 ms.
  private func deliver(_ devices: HandFedSource..., seconds: Double) {
    let end = System.seconds + seconds
    while System.seconds < end {
      System.sleep(milliseconds: 10)
      for device in devices { device.deliver(now - device.nextFrame) }
    }
  }

  private var gaps: [RecordingGap] {
    events.withLock(\.gaps)
  }

  /// The reports that the source delivers no samples, and that it delivers samples again.
  private var stalls: [RecorderEvent] {
    events.withLock { $0.filter { $0 == .stalled || $0 == .resumed } }
  }

  private func trackStalls(_ name: String) -> [RecorderEvent] {
    events.withLock { events in
      events.compactMap { event in
        guard case .track(name, let inner) = event, inner == .stalled || inner == .resumed else {
          return nil
        }
        return inner
      }
    }
  }

  /// The session waits ten seconds, or longer for a longer recording, in polls of 50 ms.
  @Test(arguments: [(1, 10.05), (12, 12.05)])
  func aDeviceHasTenSecondsForItsFirstSample(duration: Int, wanted: Double) throws {
    let session = try start(device, duration: .seconds(duration))
    let summary = try expectDuration(wanted - 0.002...wanted + 0.002) {
      try finalSummary(of: session)
    }
    #expect(summary.sampleCount == 0)
  }

  @Test(arguments: [false, true]) func aSlowStartEndsWithAStop(isStopped: Bool) throws {
    let slow = SlowSource()
    let session = RecordingSession(.stereo(.int16))
    if isStopped { session.stop() }
    let start = System.seconds
    // The session polls for the cancellation four times a second.
    expectDuration(isStopped ? 0...0.01 : 5...5.251) {
      _ = #expect(throws: RecordingError.stopped) {
        try session.start(slow, outputs: []) { System.seconds - start > 5 }
      }
    }
    slow.open()
    #expect(eventually { slow.stopCount == 1 })
  }

  @Test func startOffsetOfADeviceIsAtMostTenSeconds() throws {
    for nanoseconds in [1, 0] {
      var track = TrackConfiguration("two")
      track.startOffset = .seconds(10) + .nanoseconds(nanoseconds)
      let tracks = [
        TrackSource(TrackConfiguration("one"), from: device),
        TrackSource(track, from: HandFedSource("two", origin: origin)),
      ]
      let session = RecordingSession(.stereo(.int16))
      if nanoseconds == 0 {
        try session.start(tracks, outputs: [])
        #expect(try stop(session).failure == nil)
      } else {
        #expect(throws: RecordingError.tracks(.impossibleTime(track: "two"))) {
          try session.start(tracks, outputs: [])
        }
      }
    }
  }

  @Test func aDeviceIsMissingAfterTwoSeconds() throws {
    let session = try start(device)
    defer { session.stop() }
    deliver(device, seconds: 1)
    // `eventually` looks every 50 ms.
    let isLost = expectDuration(1.99...2.06) { eventually { session.takeStatus().isDeviceLost } }
    #expect(isLost && session.takeStatus().isStalled)
    // Silence follows the clock at a distance of 0.3 s, with each poll.
    for _ in 0..<10 {
      System.sleep(milliseconds: 70)
      let distance = Double(now - session.takeStatus().sampleCount) / 48_000
      #expect((0.299..<0.352).contains(distance))
    }
  }

  /// For the first samples, the session also waits two seconds before it reports their absence.
  @Test func sourceThatHasNotBegunIsReportedOnceAfterTwoSeconds() throws {
    let session = try start(device)
    defer { session.stop() }
    let isLost = expectDuration(1.99...2.06) { eventually { session.takeStatus().isStalled } }
    #expect(isLost)
    System.sleep(milliseconds: 5000)
    #expect(stalls == [.stalled])
    device.skip(now)
    deliver(device, seconds: 1)
    let starts = events.withLock { events in
      events.map { if case .started = $0 { true } else { false } }
    }
    #expect(starts == [false, true, false], "The end of the stall follows the start.")
    #expect(stalls == [.stalled, .resumed])
    let summary = try stop(session)
    #expect(gaps.isEmpty, "A recording begins with the first sample.")
    #expect(abs(summary.sampleCount - 48_000) < 960)
  }

  @Test func furtherTrackThatHasNotBegunIsReportedOnce() throws {
    let second = HandFedSource("second", origin: origin)
    let session = try start(device, second)
    deliver(device, seconds: 1.9)
    #expect(trackStalls("second").isEmpty)
    deliver(device, seconds: 5)
    #expect(trackStalls("second") == [.stalled])
    second.skip(now)
    deliver(device, second, seconds: 1)
    #expect(trackStalls("second") == [.stalled, .resumed])
    #expect(try stop(session).failure == nil)
  }

  @Test func longAbsencesAreReportedEveryMinute() throws {
    let session = try start(device)
    deliver(device, seconds: 1)
    device.notify(.deviceLost)
    System.sleep(milliseconds: 150_000)
    #expect(gaps.map(\.cause) == [.deviceLost, .deviceLost])
    let status = session.takeStatus()
    #expect(status.isDeviceLost && !status.isStalled)
    #expect(gaps.allSatisfy { abs($0.length - 60 * 48_000) <= 48 * 50 })
    let summary = try stop(session)
    #expect(gaps.count == 3)
    #expect(abs(summary.sampleCount - summary.filledSampleCount - 48_000) < 480)
  }

  /// A device that is merely late at the end is not missing.
  @Test(arguments: [290, 310]) func theEndOfALateDeviceIsSilentAfterAThirdOfASecond(
    milliseconds: Int
  ) throws {
    let session = try start(device)
    deliver(device, seconds: 1)
    let end = device.nextFrame
    System.sleep(milliseconds: milliseconds)
    let summary = try stop(session)
    let silence = milliseconds < 300 ? 0 : 48 * milliseconds
    #expect(abs(summary.sampleCount - end - silence) < 24)
  }

  @Test(arguments: [99, 101]) func aSleepOfATenthOfASecondIsRecorded(milliseconds: Int) throws {
    let session = try start(device)
    deliver(device, seconds: 1)
    Simulation.putToSleep(milliseconds: milliseconds)
    deliver(device, seconds: 1)
    let gaps = try stop(session).ledger.gaps
    #expect(gaps.map(\.length) == (milliseconds < 100 ? [] : [48 * milliseconds]))
    #expect(gaps.allSatisfy { $0.cause == .suspended })
  }

  @Test func aGapAfterASleepHasTheTimeOfTheWallClock() throws {
    let session = try start(device)
    deliver(device, seconds: 1)
    Simulation.putToSleep(milliseconds: 5000)
    deliver(device, seconds: 1)
    let time = System.wallNanoseconds
    Simulation.putToSleep(milliseconds: 300)
    deliver(device, seconds: 1)
    let gaps = try stop(session).ledger.gaps
    #expect(gaps.map(\.length) == [240_000, 14_400])
    #expect(gaps.last.map { abs($0.wallTime - time) < 50_000_000 } == true)
  }

  @Test func sleepsWithoutSamplesBetweenThemAreTwoGaps() throws {
    let session = try start(device)
    deliver(device, seconds: 1)
    for milliseconds in [200, 300] {
      Simulation.putToSleep(milliseconds: milliseconds)
      System.sleep(milliseconds: 60)
    }
    deliver(device, seconds: 1)
    let summary = try stop(session)
    #expect(summary.ledger.gaps.map(\.length) == [9600, 14_400])
    #expect(summary.sampleCount == device.nextFrame + 24_000)
  }

  /// A recording that is not in real time waits two seconds for a signal that is mixed.
  @Test(arguments: [1.9, 2.1]) func aSignalIsAwaitedForTwoSeconds(seconds: Double) throws {
    let (leader, signal) = (SyntheticSource.test(frames: 4800), HandFedSource("bed"))
    let session = RecordingSession(.stereo(.int16))
    try session.start(
      [
        TrackSource(TrackConfiguration("one"), from: leader),
        TrackSource(TrackConfiguration("bed"), from: signal),
      ], outputs: [])
    let isLate = seconds > 2
    let wanted = min(seconds, 2)
    let summary = try expectDuration(wanted - 0.03...wanted + 0.06) {
      System.sleep(milliseconds: Int(1000 * min(seconds, 1.9)))
      if !isLate { signal.deliver(4800) }
      return try finalSummary(of: session)
    }
    #expect(summary.sampleCount == 4800 && summary.ledger.gaps.isEmpty)
  }

  /// A signal that has not been started is not read, so its failure does not matter.
  @Test func aSignalIsReadOnlyWhileItIsPlayed() throws {
    var jingle = TrackConfiguration("jingle")
    jingle.startsByItself = false
    let broken = FaultySource.test(faults: [.at(480, .failure(.deviceBusy(id: "broken")))])
    let session = RecordingSession(.stereo(.int16)) { [events] event in
      events.withLock { $0.append(event) }
    }
    try session.start(
      [TrackSource(TrackConfiguration("one"), from: device), TrackSource(jingle, from: broken)],
      outputs: [])
    let failure = RecorderEvent.trackFailed("jingle", .capture(.deviceBusy(id: "broken")))
    for count in 0...1 {
      deliver(device, seconds: 1)
      #expect(events.withLock { $0.count { $0 == failure } } == count)
      session.change(.start, of: "jingle")
    }
    _ = try stop(session)
  }

  @Test func anIdleRecordingWakesUpTwentyTimesASecond() throws {
    let store = MemoryOutput.Store()
    let session = try start(device, outputs: [MemoryOutput(store)])
    deliver(device, seconds: 1)
    device.notify(.deviceLost)
    System.sleep(milliseconds: 1000)
    let before = Simulation.wakeUpCount
    System.sleep(milliseconds: 10_000)
    // The session wakes its output with each packet.
    #expect((199...230).contains(Simulation.wakeUpCount - before))
    _ = try stop(session)
  }

  @Test func outputsCloseAtTheSameTime() throws {
    struct Closing: SilentOutput {
      let name: String
      mutating func abandon() -> OutputSummary? {
        System.sleep(milliseconds: 5000)
        return nil
      }
    }
    let session = try start(device, outputs: [Closing(name: "a"), Closing(name: "b")])
    deliver(device, seconds: 1)
    session.stop()
    _ = try expectDuration(4.99...5.06) { try finalSummary(of: session) }
  }

  @Test func outputsAreCheckedEvery400Milliseconds() throws {
    struct Polled: SilentOutput {
      let count: Lock<Int>
      let name = "polled"
      mutating func poll() throws(OutputError) -> [OutputIncident] {
        count.withLock { $0 += 1 }
        return []
      }
    }
    let count = Lock(0)
    let session = try start(device, outputs: [Polled(count: count)])
    // Without packets, and with a packet every 20 ms.
    System.sleep(milliseconds: 4000)
    #expect((9...10).contains(count.withLock { $0 }))
    let before = count.withLock { $0 }
    device.skip(now)
    deliver(device, seconds: 4)
    #expect((9...10).contains(count.withLock { $0 } - before))
    _ = try stop(session)
  }

  /// The mix waits 0.3 s for a track whose device falls silent, and counts it as missing after 2 s.
  @Test func aMixWaitsATenthOfThreeSecondsForATrack() throws {
    let devices = ["one", "two"].map { HandFedSource($0, origin: origin) }
    let session = try start(devices[0], devices[1])
    deliver(devices[0], devices[1], seconds: 1)
    let end = devices[1].nextFrame
    deliver(devices[0], seconds: 0.28)
    #expect(session.takeStatus().sampleCount <= end)
    deliver(devices[0], seconds: 0.04)
    #expect(abs(now - session.takeStatus().sampleCount) < 1500)
    #expect(session.takeStatus().tracks.map(\.isDeviceLost) == [false, true])
    deliver(devices[0], seconds: 3)
    let summary = try stop(session)
    #expect(devices.allSatisfy { !$0.isRunning }, "The sources of all tracks are stopped.")
    let gaps = summary.ledger.gaps
    #expect(gaps.map(\.track) == ["two"] && gaps.map(\.cause) == [.unexplained])
    #expect(abs(gaps[0].position - end) < 480)
    #expect(gaps[0].position + gaps[0].length == summary.sampleCount)
  }

  /// Devices whose times differ by less than 0.3 s omit the same time in a pause.
  @Test(arguments: [260, 340]) func pausesHaveTheSameBorderOnSimilarClocks(
    milliseconds: Int
  ) throws {
    let devices = ["one", "two"].map { HandFedSource($0, origin: origin) }
    let session = try start(devices[0], devices[1])
    deliver(devices[0], devices[1], seconds: 1)
    // The blocks of the second device are late.
    for _ in 0..<milliseconds / 10 {
      System.sleep(milliseconds: 10)
      devices[0].deliver(now - devices[0].nextFrame)
    }
    session.setPaused(true)
    // With a common border, the pause begins with the first blocks after it, or when the second device has been
    // silent for 0.3 s.
    let rest = milliseconds > 300 ? 60 : 15
    System.sleep(milliseconds: rest)
    #expect(events.withLock { $0.contains(.paused(true)) } == (milliseconds > 300))
    deliver(devices[0], devices[1], seconds: 1)
    session.setPaused(false)
    deliver(devices[0], devices[1], seconds: 1)
    let summary = try stop(session)
    let pause = try #require(summary.ledger.gaps.first { $0.cause == .paused })
    #expect(abs(pause.length - 48_000 - 48 * rest) < 48 * 25)
  }

  @Test func timesOfTracksHaveLimits() {
    func isValid(_ change: (inout TrackConfiguration) -> Void) -> Bool {
      var track = TrackConfiguration("two")
      change(&track)
      do throws(RecordingError) {
        try TrackConfiguration.validate([TrackConfiguration("one"), track], channelCount: 2)
        return true
      } catch {
        return false
      }
    }
    let step = Duration.nanoseconds(1)
    let times: [(limit: Int, key: WritableKeyPath<TrackConfiguration, Duration>)] = [
      (600, \.fadeIn), (600, \.fadeOut), (86_400, \.startOffset),
    ]
    for (limit, key) in times {
      #expect(isValid { $0[keyPath: key] = .seconds(limit) })
      #expect(!isValid { $0[keyPath: key] = .seconds(limit) + step })
      #expect(!isValid { $0[keyPath: key] = .zero - step })
    }
    for (name, isAccepted) in [
      ("", false), (".a", false), ("-a", false), ("a", true),
      (String(repeating: "a", count: 100), true), (String(repeating: "a", count: 101), false),
    ] {
      #expect(isValid { $0.name = name } == isAccepted)
    }
    #expect(isValid { $0.stopOffset = .seconds(86_400) })
    #expect(!isValid { $0.stopOffset = .seconds(86_400) + step })
    let tails = EchoCancellation.tails
    #expect(tails == Duration.milliseconds(10)...Duration.seconds(1))
    let (first, last) = (tails.lowerBound, tails.upperBound)
    for tail in [first - step, first, last, last + step] {
      let result = isValid { $0.echoCancellation = EchoCancellation(of: "one", tail: tail) }
      #expect(result == tails.contains(tail))
    }
    let levels: [(limit: Double, key: WritableKeyPath<TrackConfiguration, Double>)] = [
      (60, \.gain), (1, \.pan),
    ]
    for (limit, key) in levels {
      for value in [limit, -limit] { #expect(isValid { $0[keyPath: key] = value }) }
      for value in [limit.nextUp, -limit.nextUp, .nan] {
        #expect(!isValid { $0[keyPath: key] = value })
      }
    }
    let lowest: [(limits: ClosedRange<Double>, key: WritableKeyPath<Ducking, Double>)] = [
      (-96...0, \.threshold), (0...96, \.depth),
    ]
    for (limits, key) in lowest {
      for value in [limits.lowerBound, limits.upperBound, -96.1, 0.1, 96.1, -0.1] {
        let result = isValid { track in
          track.ducking = Ducking()
          track.ducking?[keyPath: key] = value
        }
        #expect(result == limits.contains(value))
      }
    }
    for key in [\Ducking.attack, \.release, \.hold] {
      for (time, wanted) in [(Duration.seconds(60), true), (.seconds(60) + step, false)] {
        let result = isValid { track in
          track.ducking = Ducking()
          track.ducking?[keyPath: key] = time
        }
        #expect(result == wanted)
      }
    }
  }
}
