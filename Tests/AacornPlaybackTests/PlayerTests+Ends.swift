import AacornDevices
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornPlayback

extension PlayerTests {
  @Test func stopDuringDeviceOpeningThrows() throws {
    let slow = PumpedTarget(isSlow: true)
    let session = try session(files.ramps(0..<1000), on: slow)
    #expect(throws: PlayerError.stopped) {
      try session.start {
        // Called while the device opens.
        slow.isOpening
      }
    }
    #expect(session.playerState == .stopped)
    #expect(slow.stopCount == 0)
    slow.open()
    #expect(eventually { slow.stopCount == 1 })
  }

  @Test(.realTime) func stopDuringStartThrowsToTheStartingTask() async throws {
    let slow = PumpedTarget(isSlow: true)
    let player = Player(
      playing: [PlaylistItem(try files.wav(ramp(0..<1000), to: "a.wav"))], on: slow)
    let start = Task { try await player.start() }
    #expect(try await eventuallyYielding { slow.isOpening })
    let summary = await player.stop()
    #expect(summary.failure == .stopped)
    await #expect(throws: PlayerError.stopped) { try await start.value }
    #expect(await player.state == .stopped)
    slow.open()
    #expect(try await eventuallyYielding { slow.stopCount == 1 })
  }

  @Test(arguments: [(48_000, 65), (999, 1), (768_001, 1)])
  func unsupportedDeviceIsRefused(sampleRate: Int, channelCount: Int) throws {
    let device = PumpedTarget(sampleRate: sampleRate, channelCount: channelCount)
    let reason = "it has \(sampleRate) Hz and \(channelCount) channels"
    #expect(
      throws: PlayerError.playback(.unsupportedFormat(id: "pump", reason: reason))
    ) {
      try session(files.ramps(0..<100), on: device).start()
    }
    #expect(device.feed == nil)
  }

  @Test func aPlayerPlaysOnce() throws {
    let session = try session(files.ramps(0..<100))
    _ = try playToTheEnd(session)
    #expect(throws: PlayerError.alreadyStarted) { try session.start() }
  }

  @Test func startAfterStopThrows() throws {
    let session = try session(files.ramps(0..<100))
    session.seek(to: .seconds(1))
    #expect(session.position?.time == .seconds(1))
    session.stop()
    #expect(session.position == nil)
    #expect(throws: PlayerError.stopped) { try session.start() }
    #expect(session.playerState == .stopped && listener.eventTexts == ["stopped"])
    #expect(target.feed == nil)
  }

  @Test func noEventFollowsTheEnd() {
    let session = self.session([])
    session.complete(PlayerSummary())
    session.report(.deviceLost)
    session.complete(PlayerSummary())
    #expect(listener.eventTexts == ["stopped"])
  }

  @Test func downloadErrorDoesNotMentionAPipe() {
    let pipe = AACFileError(
      .unsupported, "“x” is an MP3 file, which cannot be read from a pipe.",
      suggestion: .passAsFile(because: "is an MP3 file"))
    let error = PlayerSession.error(pipe, at: "https://radio.example/a.mp3")
    #expect(
      error.message
        == "“https://radio.example/a.mp3” is an MP3 file, and can be played only from a file. "
        + "Download it and play the file.")
    let other = AACFileError(.badInput, "It is empty.")
    #expect(PlayerSession.error(other, at: "x") == other)
  }

  @Test func startPastEndReportsErrorAndPlaysNextItem() throws {
    let paths = try files.ramps(0..<48_000, 0..<300)
    let summary = try playToTheEnd(session(paths) { $0.start = .seconds(90) })
    // The next item plays from its beginning.
    #expect(target.samples == ramp(0..<300))
    #expect(summary.playedItemCount == 1 && summary.isComplete)
    #expect(summary.unreadable.keys.sorted() == [0])
    #expect(listener.eventTexts == ["unreadable 0", "started 1", "ended 1", "stopped"])
    #expect(
      listener.failures == [
        "“\(paths[0])” ends at 0:01.0, before 1:30.0, where playback should start. Choose an earlier start."
      ])
  }

  @Test(arguments: PlayerConfiguration.Loop.allCases)
  func startPastEndOfOnlyItemThrows(loop: PlayerConfiguration.Loop) throws {
    let path = try files.wav(ramp(0..<48_000), to: "a.wav")
    let session = self.session([path]) {
      $0.start = .seconds(1)
      $0.loop = loop
    }
    #expect(
      startError(session)
        == "“\(path)” ends at 0:01.0, where playback should start. Choose an earlier start.")
  }

  private static func wav(announced: UInt64) -> [UInt8] {
    let writer = WAVWriter(encoding: .float32, sampleRate: 48_000, channelCount: 1)
    var bytes = writer.header(frameCount: announced)
    let samples = ramp(0..<1000)
    writer.append(samples.span, to: &bytes)
    return bytes
  }

  /// The reading end of a pipe that ends after these bytes.
  private static func pipe(with bytes: [UInt8]) throws -> Int32 {
    let pipe = try #require(System.makePipe())
    #expect(try System.write(pipe.writing, bytes, from: 0) == bytes.count)
    try System.close(pipe.writing)
    return pipe.reading
  }

  @Test func startPastEndOfPipeIsReportedAtItsEnd() throws {
    // A program that writes to a pipe does not know the final length.
    let pipe = try Self.pipe(with: Self.wav(announced: 1 << 28))
    defer { try? System.close(pipe) }
    let next = try files.wav(ramp(0..<300), to: "b.wav")
    let session = self.session(["/dev/fd/\(pipe)", next]) { $0.start = .seconds(2) }
    let summary = try playToTheEnd(session)
    #expect(target.samples == ramp(0..<300))
    #expect(summary.playedItemCount == 1)
    #expect(listener.eventTexts == ["unreadable 0", "started 1", "ended 1", "stopped"])
    #expect(
      listener.failures.first?.hasSuffix(
        "” ends before 0:02.0, where playback should start. Choose an earlier start.") == true)
  }

  @Test func aPipeContinuesAfterImpossibleSeeks() throws {
    // All bytes fit into the pipe, but not into the feed.
    let samples = (0..<32_000).map { Float($0 % 1000) / 32_768 }
    let writer = WAVWriter(encoding: .int16, sampleRate: 48_000, channelCount: 1)
    var bytes = writer.header(frameCount: 32_000)
    writer.append(samples.span, to: &bytes)
    let pipe = try Self.pipe(with: bytes)
    defer { try? System.close(pipe) }
    let session = self.session(["/dev/fd/\(pipe)"])
    try session.start()
    #expect(pump { target.samples.count >= 1000 })
    let time = Duration.seconds(Double(target.samples.count) / 48_000)
    for _ in 0..<2 {
      session.seek(to: .zero)
      #expect(eventually { session.position?.time == time })
    }
    #expect(pump { listener.hasStopped })
    #expect(target.samples == samples)
    #expect(listener.eventTexts == ["started 0", "unseekable 0", "ended 0", "stopped"])
  }

  @Test func truncatedFileCountsAsDamagedUnlikePipe() throws {
    let bytes = Self.wav(announced: 5000)
    let pipe = try Self.pipe(with: bytes)
    defer { try? System.close(pipe) }
    let whole = try files.wav(ramp(1000..<1300), to: "b.wav")
    let paths = [try files.write(bytes, to: "a.wav"), "/dev/fd/\(pipe)", whole]
    let summary = try playToTheEnd(session(paths))
    #expect(target.samples == ramp(0..<1000) + ramp(0..<1300))
    #expect(summary.playedItemCount == 3 && summary.unreadable.isEmpty)
    #expect(summary.damaged == [0])
    #expect(listener.eventTexts.count { $0.hasPrefix("damaged") } == 1)
    #expect(
      listener.damage == [
        "“\(paths[0])” is 16.0 kB shorter than its header specifies; the available audio was played."
      ])
  }

  @Test func nothingToPlayIsAnError() {
    let session = self.session([])
    #expect(throws: PlayerError.noItems) { try session.start() }
  }

  @Test func damageIsReportedWhenTheFileHasBeenRead() throws {
    let session = session([try files.write(Self.wav(announced: 5000), to: "a.wav")])
    try session.start()
    #expect(eventually { listener.eventTexts.contains("damaged 0") })
    #expect(target.samples.isEmpty)
    stop(session)
  }

  @Test func peaksMatchThePlayedAudio() throws {
    let target = PumpedTarget(channelCount: 2)
    let parts: [[Float]] = [[0.5, -0.25], [0.125, 0.75]]
    let sound = parts.flatMap { [[Float]](repeating: $0, count: 6000).joined() }
    let session = session([try files.wav(sound, to: "a.wav", channels: 2)], on: target)
    try session.start()
    #expect(eventually { target.feed?.waitingFrameCount == 12_000 })
    #expect(session.takePeaks().isEmpty)
    target.pump(5000)
    #expect(session.takePeaks() == [0.5, 0.25])
    target.pump(7000)
    #expect(session.takePeaks() == [0.5, 0.75])
    #expect(session.takePeaks().isEmpty)
    stop(session)
  }

  /// The library of a device may write to a closed connection, which must not end the program.
  @Test func pipeSignalIsBlockedOnTheThreadOfTheSession() throws {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    // New threads inherit the blocked signals.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let isBlocked = Lock<Bool?>(nil)
    let session = PlayerSession(
      playing: [PlaylistItem(try files.wav(ramp(0..<100), to: "a.wav"))], on: .target(target)
    ) { event in
      guard case .opened = event else { return }
      var blocked = sigset_t()
      unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked)
      isBlocked.withLock { $0 = unsafe sigismember(&blocked, SIGPIPE) == 1 }
    }
    try session.start()
    session.stop()
    #expect(session.wait(for: .seconds(10)) != nil && isBlocked.withLock(\.self) == true)
  }
}
