import AacornDevices
import AacornSoundFiles
import AacornSystem
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornPlayback

/// The time limits of a player, exactly.
@Suite(.simulated(seeds: 3)) struct PlayerTimeTests {
  private let files: PlayedFiles
  private let events = Lock<[(time: Double, event: PlayerEvent)]>([])
  private let target = PumpedTarget()

  init() throws { files = try PlayedFiles() }

  private func session(_ paths: [String], on target: PumpedTarget? = nil) -> PlayerSession {
    PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: .target(target ?? self.target),
      PlayerConfiguration()
    ) { [events] event in
      events.withLock { $0.append((System.seconds, event)) }
    }
  }

  /// A session that plays a silent file of this length.
  private func session(seconds: Int, _ name: String = "a.wav") throws -> PlayerSession {
    session([try files.wav([Float](repeating: 0, count: 48_000 * seconds), to: name)])
  }

  /// Plays for a time as a device does: 480 frames every 10 ms.
  private func play(seconds: Double) {
    for _ in 0..<Int(100 * seconds) {
      System.sleep(milliseconds: 10)
      target.pump(480)
    }
  }

  private var hasStopped: Bool {
    events.withLock { events in
      if case .stopped = events.last?.event { true } else { false }
    }
  }

  private var items: [Int] {
    events.withLock { $0 }.compactMap { entry in
      if case .started(let item) = entry.event { item.index } else { nil }
    }
  }

  @Test func positionsAreReportedFourTimesASecond() throws {
    let session = try session(seconds: 6)
    try session.start()
    play(seconds: 5)
    let times = events.withLock { $0 }.compactMap { entry in
      if case .position = entry.event { entry.time } else { nil }
    }
    #expect((19...21).contains(times.count))
    for (time, next) in zip(times, times.dropFirst()) {
      // The session looks after each read of the device.
      #expect((0.25..<0.262).contains(next - time))
    }
    session.stop()
    #expect(eventually { hasStopped })
  }

  /// The device plays on while an item opens, which must not delay the position in the new item.
  @Test func theFirstPositionOfASlowItemIsReportedAtOnce() throws {
    let pipe = try #require(System.makePipe())
    defer { try? System.close(pipe.reading) }
    let session = session([
      try files.wav([Float](repeating: 0, count: 48_000), to: "a.wav"), "/dev/fd/\(pipe.reading)",
    ])
    try session.start()
    play(seconds: 0.3)
    session.next()
    play(seconds: 0.4)
    let writer = WAVWriter(encoding: .float32, sampleRate: 48_000, channelCount: 1)
    var bytes = writer.header(frameCount: 1 << 28)
    writer.append(ramp(0..<10_000).span, to: &bytes)
    #expect(try System.write(pipe.writing, bytes, from: 0) == bytes.count)
    try System.close(pipe.writing)
    play(seconds: 0.1)
    let positions = events.withLock { $0 }.compactMap { entry in
      if case .position(let position) = entry.event { position.index } else { nil }
    }
    #expect(positions.last == 1)
    session.stop()
    #expect(eventually { hasStopped })
  }

  @Test(arguments: [false, true]) func aStalledPipeIsInterrupted(isStop: Bool) throws {
    let pipe = try #require(System.makePipe())
    defer { for end in [pipe.reading, pipe.writing] { try? System.close(end) } }
    let writer = WAVWriter(encoding: .float32, sampleRate: 48_000, channelCount: 1)
    var bytes = writer.header(frameCount: 1 << 28)
    writer.append(ramp(0..<10_000).span, to: &bytes)
    #expect(try System.write(pipe.writing, bytes, from: 0) == bytes.count)
    let next = try files.wav(ramp(0..<48_000), to: "a.wav")
    let session = session(["/dev/fd/\(pipe.reading)", next])
    try session.start()
    System.sleep(milliseconds: 500)
    if !isStop {
      session.next()
      play(seconds: 0.01)
      System.sleep(milliseconds: 100)
      #expect(items.last == 1)
    }
    session.stop()
    let summary = expectDuration(0...0.1) { session.wait(for: .seconds(10)) }
    #expect(summary?.isComplete == false)
  }

  @Test func theFeedHolds300Milliseconds() throws {
    let session = try session(seconds: 2)
    try session.start()
    // The session waits only when the feed is full.
    System.sleep(milliseconds: 5)
    // The next power of two.
    #expect(target.feed?.waitingFrameCount == 16_384)
    session.stop()
    #expect(eventually { hasStopped })
  }

  @Test func aWaitingPlayerWakesUpFiftyTimesASecond() throws {
    let session = try session(seconds: 2)
    try session.start()
    session.setPaused(true)
    System.sleep(milliseconds: 100)
    let before = Simulation.wakeUpCount
    System.sleep(milliseconds: 10_000)
    #expect((499...501).contains(Simulation.wakeUpCount - before))
    session.stop()
    #expect(eventually { hasStopped })
  }

  @Test(arguments: [2.99, 3.01]) func previousSelectsTheItemUpToThreeSeconds(
    seconds: Double
  ) throws {
    let paths = try ["a.wav", "b.wav"].map {
      try files.wav([Float](repeating: 0, count: 48_000 * 5), to: $0)
    }
    let session = session(paths)
    try session.start()
    session.next()
    play(seconds: 0.1)
    #expect(items.last == 1)
    session.seek(to: .seconds(seconds))
    System.sleep(milliseconds: 100)
    session.previous()
    play(seconds: 0.1)
    #expect(items.last == (seconds < 3 ? 0 : 1))
    #expect(session.position.map { $0.time < .seconds(1) } == true)
    session.stop()
    #expect(eventually { hasStopped })
  }

  /// A device that has read everything may not report when it has played the last frame.
  @Test(arguments: [false, true]) func theEndIsAwaitedForASecondOrThePause(
    isPaused: Bool
  ) throws {
    let session = session([try files.wav(ramp(0..<4800), to: "a.wav")])
    try session.start()
    System.sleep(milliseconds: 100)
    let feed = try #require(target.feed)
    // The first frame plays in an hour.
    feed.recordPresentation(frame: 0, soundsAt: System.nanoseconds + 3_600_000_000_000)
    let start = System.seconds
    target.pump(4800)
    if isPaused {
      session.setPaused(true)
      System.sleep(milliseconds: 5000)
      #expect(!hasStopped)
      session.setPaused(false)
    }
    #expect(eventually { hasStopped })
    let end = try #require(events.withLock(\.last?.time))
    // The session looks every 20 ms.
    if !isPaused { #expect((0.999..<1.025).contains(end - start)) }
    #expect(session.summary?.isComplete == true)
  }

  @Test func aStartIsCanceledWithinATenthOfASecond() throws {
    let slow = PumpedTarget(isSlow: true)
    let session = session([try files.wav(ramp(0..<100), to: "a.wav")], on: slow)
    let start = System.seconds
    #expect(throws: PlayerError.stopped) { try session.start { System.seconds - start > 5 } }
    #expect((5..<5.101).contains(System.seconds - start))
    slow.open()
    #expect(eventually { slow.stopCount == 1 })
  }

  @Test func commandDuringOpeningIsAppliedAfterTheStart() throws {
    let pipe = try #require(System.makePipe())
    defer { try? System.close(pipe.reading) }
    let session = session(["/dev/fd/\(pipe.reading)", try files.wav(ramp(0..<300), to: "a.wav")])
    let writer = WAVWriter(encoding: .float32, sampleRate: 48_000, channelCount: 1)
    var bytes = writer.header(frameCount: 1 << 28)
    writer.append(ramp(1000..<2000).span, to: &bytes)
    var pollCount = 0
    try session.start {
      pollCount += 1
      if pollCount == 1 { session.next() }
      if pollCount == 3 {
        #expect(throws: Never.self) {
          #expect(try System.write(pipe.writing, bytes, from: 0) == bytes.count)
          try System.close(pipe.writing)
        }
      }
      return false
    }
    play(seconds: 0.1)
    #expect(items == [1] && target.samples == ramp(0..<300))
    #expect(hasStopped && session.summary?.isComplete == true)
  }

  @Test func eachMissingFrameIsReported() throws {
    let session = try session(seconds: 3)
    try session.start()
    play(seconds: 1)
    // More than the feed holds is read at once, and again.
    target.pump(20_000)
    play(seconds: 0.5)
    target.pump(24_000)
    session.stop()
    #expect(eventually { hasStopped })
    let counts = events.withLock { $0 }.compactMap { entry in
      if case .underrun(let count) = entry.event { count } else { nil }
    }
    #expect(counts.reduce(0, +) == target.feed?.missingFrameCount)
    #expect(counts.count == 2)
    #expect(session.summary?.underrunCount == 2)
  }

  @Test func speedAndLoopChangeWhilePlaying() throws {
    let session = try session(seconds: 1)
    try session.start()
    session.setLoop(.item)
    play(seconds: 2.5)
    #expect(items == [0, 0, 0])
    session.setSpeed(2)
    play(seconds: 3)
    // The feed and the resampler hold a third of a second of the former speed.
    #expect((7...9).contains(items.count))
    session.setLoop(.none)
    play(seconds: 2)
    #expect(hasStopped && session.summary?.isComplete == true)
  }
}
