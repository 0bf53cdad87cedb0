import AacornDevices
import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornPlayback

/// How a playback is stopped, what it says at its end, and how loud it was.
extension PlayerTests {
  @Test func itCanBeStoppedWhileTheDeviceOpens() throws {
    let slow = PumpedTarget(isSlow: true)
    let session = self.session([try files.wav(ramp(0..<1000), to: "a.wav")], on: slow)
    #expect(throws: PlayerError.stopped) {
      try session.start {
        // Asked while it waits.
        slow.isOpening
      }
    }
    #expect(session.playerState == .stopped)
    #expect(slow.stopCount == 0)
    slow.open()
    #expect(comesTrue { slow.stopCount == 1 })
  }

  @Test func stoppingIsToldToTheTaskThatStarts() async throws {
    let slow = PumpedTarget(isSlow: true)
    let player = Player(
      playing: [PlaylistItem(try files.wav(ramp(0..<1000), to: "a.wav"))], on: slow)
    let start = Task { () async -> PlayerError? in
      do throws(PlayerError) {
        try await player.start()
        return nil
      } catch {
        return error
      }
    }
    #expect(try await comesTrueMeanwhile { slow.isOpening })
    let summary = await player.stop()
    #expect(summary.failure == .stopped)
    #expect(await start.value == .stopped)
    #expect(await player.state == .stopped)
    slow.open()
    #expect(try await comesTrueMeanwhile { slow.stopCount == 1 })
  }

  @Test func aPlayerPlaysOnce() throws {
    let session = self.session([try files.wav(ramp(0..<100), to: "a.wav")])
    _ = try playToTheEnd(session)
    #expect(throws: PlayerError.alreadyStarted) { try session.start() }
  }

  @Test func nothingIsToldAfterTheEnd() {
    let session = self.session([])
    session.conclude(PlayerSummary())
    session.tell(.deviceLost)
    session.conclude(PlayerSummary())
    #expect(listener.story == ["stopped"])
  }

  @Test func whatMustBeDownloadedIsNotCalledAPipe() {
    let pipe = AACFileError(
      .unsupported, "“x” is an MP3 file, which is not read from a pipe.",
      .passAsFile(because: "is an MP3 file"))
    let error = PlayerSession.error(pipe, at: "https://radio.example/a.mp3")
    #expect(
      error.sentence
        == "What is at “https://radio.example/a.mp3” is an MP3 file, and is played from a file only. "
        + "Download it and play the file.")
    let other = AACFileError(.badInput, "It is empty.")
    #expect(PlayerSession.error(other, at: "x") == other)
  }

  @Test func nothingToPlayIsAnError() {
    let session = self.session([])
    #expect(throws: PlayerError.noItems) { try session.start() }
  }

  @Test func peaksAreThoseOfWhatWasHeard() throws {
    let loud = [Float](repeating: 0.5, count: 48_000)
    let session = self.session([try files.wav(loud, to: "a.wav")])
    try session.start()
    #expect(session.takePeaks().isEmpty)
    #expect(pump { target.samples.count >= 20_000 })
    #expect(session.takePeaks() == [0.5])
    session.stop()
  }
}
