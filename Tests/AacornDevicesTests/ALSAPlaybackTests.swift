#if os(Linux)
import AacornDevices
import AacornSystem
import SoundRigs
import Testing

/// Playback on fake devices that check their input and fail on demand.
@Suite(.serialized)
struct ALSAPlaybackTests {
  private func target(
    _ id: String, latency: Duration = .milliseconds(400), maxStallNanoseconds: Int64 = 5_000_000_000
  ) throws -> ALSATarget {
    try ALSAConfiguration.install()
    return ALSATarget(
      PlaybackRequest(device: .pinned(id: id), latency: latency),
      maxStallNanoseconds: maxStallNanoseconds)
  }

  /// Plays on a device with a fault.
  private func play(
    _ name: String, _ fault: ALSAConfiguration.Fault, maxStallNanoseconds: Int64 = 5_000_000_000
  ) throws -> NumberedPlayback {
    let id = ALSAConfiguration.device(name, fault: fault)
    let target = try target(id, maxStallNanoseconds: maxStallNanoseconds)
    return try NumberedPlayback(target) { ALSAConfiguration.samples(ofFrame: $0) }
  }

  /// Checks that a device received every frame once and in order, with no gap that the feed does
  /// not report.
  private func expectNoGap(
    _ name: String, _ playback: NumberedPlayback, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    playback.target.stop()
    let configuration = try ALSAConfiguration.install()
    #expect(configuration.playedCount(ofDevice: name) > 0, sourceLocation: sourceLocation)
    #expect(configuration.breakCount(ofDevice: name) == 0, sourceLocation: sourceLocation)
    #expect(
      configuration.silentCount(ofDevice: name) <= playback.feed.missingFrameCount,
      sourceLocation: sourceLocation)
  }

  // MARK: Samples

  @Test(arguments: ["S16_LE", "S24_3LE", "S24_LE", "S32_LE", "FLOAT_LE"])
  func everyFrameIsPlayedOnceInEachFormat(format: String) throws {
    let name = "played-\(format)"
    let target = try target(ALSAConfiguration.device(name, format: format))
    let playback = try NumberedPlayback(target) {
      ALSAConfiguration.samples(ofFrame: $0, format: format)
    }
    let configuration = try ALSAConfiguration.install()
    #expect(playback.tend { configuration.playedCount(ofDevice: name) >= 48_000 })
    try expectNoGap(name, playback)
    #expect(playback.events == [])
    #expect(target.device?.sampleRate == 48000)
    #expect(target.device?.channelCount == 2)
  }

  @Test func channelsGoToTheirLoudspeakers() throws {
    let name = "surround"
    let id = ALSAConfiguration.device(name, channels: 6, map: "FL-FR-RL-RR-FC-LFE")
    let format = PlaybackFormat(sampleRate: 48000, channelCount: 6)
    let playback = try NumberedPlayback(try target(id), format) { frame in
      let samples = ALSAConfiguration.samples(ofFrame: frame, channels: 6)
      // The feed uses the standard order of channels, which differs from the device's.
      return [0, 1, 4, 5, 2, 3].map { samples[$0] }
    }
    #expect(playback.play())
    try expectNoGap(name, playback)
  }

  @Test func missingSamplesAreSilenceAndCounted() throws {
    let name = "starving"
    let target = try target(ALSAConfiguration.device(name))
    let playback = try NumberedPlayback(target) { ALSAConfiguration.samples(ofFrame: $0) }
    let configuration = try ALSAConfiguration.install()
    #expect(playback.play())
    #expect(
      eventually {
        playback.feed.underrunCount > 0 && configuration.silentCount(ofDevice: name) > 4800
      }, "Nobody writes, and the device plays silence.")
    #expect(playback.play())
    #expect(playback.feed.missingFrameCount > 4800)
    #expect(playback.events == [])
    try expectNoGap(name, playback)
  }

  @Test func partialWritesLoseNothing() throws {
    let playback = try play("short", .shortWrites(most: 1000))
    #expect(playback.play(48_000))
    try expectNoGap("short", playback)
    #expect(playback.events == [])
  }

  @Test func playedFrameFollowsTheDevice() throws {
    // A frame is audible 100 ms after it leaves the buffer.
    let name = "heard"
    let target = try target(ALSAConfiguration.device(name, latency: 4800))
    let playback = try NumberedPlayback(target) { ALSAConfiguration.samples(ofFrame: $0) }
    #expect(playback.play(72_000))
    let now = System.nanoseconds
    let played = try #require(playback.feed.playedFrame(at: now))
    let start = try ALSAConfiguration.install().startTime(ofDevice: name)
    let expected = Int(Double(now - start) * 48000e-9) - 4800
    // On a busy machine that cannot fill half a second in time, the device underruns.
    let isUndisturbed = target.xrunCount == 0 && playback.feed.underrunCount == 0
    #expect(!isUndisturbed || abs(played - expected) < 480, "\(played), \(expected)")
    playback.target.stop()
  }

  @Test func deviceWithoutAClockIsPlayedOnInRealTime() throws {
    let target = try target("testsilence", latency: .milliseconds(100))
    let before = System.nanoseconds
    let playback = try NumberedPlayback(target) { ALSAConfiguration.samples(ofFrame: $0) }
    #expect(playback.play(48_000))
    // The device would accept all frames immediately; only a buffer and 0.2 s may be played early.
    #expect(System.nanoseconds - before >= 600_000_000)
    #expect(target.diagnostics.contains { $0.contains("no clock") })
  }

  // MARK: Faults

  @Test func playbackContinuesAfterDeviceUnderrun() throws {
    let playback = try play("dry", .underrun(at: 12_000))
    let target = try #require(playback.target as? ALSATarget)
    #expect(playback.tend { target.xrunCount > 0 })
    #expect(playback.play(48_000))
    #expect(target.diagnostics.contains { $0.contains("underran") })
    #expect(playback.events == [])
    try expectNoGap("dry", playback)
  }

  @Test func playbackResumesWhenDisconnectedDeviceReturns() throws {
    let playback = try play("pulled", .disconnection(at: 12_000, milliseconds: 1500))
    #expect(playback.tend { playback.events.count > 1 })
    #expect(playback.play())
    #expect(playback.events == [.deviceLost, .deviceReturned])
    try expectNoGap("pulled", playback)
  }

  @Test func nothingIsTakenWhileTheDeviceIsAwayAndStopReturns() throws {
    let playback = try play("absent", .disconnection(at: 12_000, milliseconds: 600_000))
    #expect(playback.tend { !playback.events.isEmpty })
    let configuration = try ALSAConfiguration.install()
    let (taken, calls) = (
      playback.feed.consumedFrameCount, configuration.callCount(ofDevice: "absent")
    )
    #expect(
      playback.tend { configuration.callCount(ofDevice: "absent") >= calls + 3 }, "Trying again.")
    #expect(playback.feed.consumedFrameCount == taken)
    let before = System.seconds
    playback.target.stop()
    #expect(System.seconds - before < promptSeconds)
    #expect(playback.events == [.deviceLost])
  }

  @Test(arguments: [true, false])
  func sleepingDeviceIsWokenUp(canResume: Bool) throws {
    let name = "asleep-\(canResume)"
    let playback = try play(
      name, .suspension(at: 12_000, milliseconds: 300, canResume: canResume))
    #expect(playback.tend { playback.events.count > 1 })
    #expect(playback.play())
    #expect(playback.events == [.suspended, .resumed])
    try expectNoGap(name, playback)
  }

  // EIO.
  @Test func deviceThatAlwaysFailsIsGivenRestAndTriedAgain() throws {
    let playback = try play("faulty", .error(5, at: 12_000, milliseconds: 2500))
    let configuration = try ALSAConfiguration.install()
    #expect(playback.tend { configuration.hasFailed(device: "faulty") })
    let before = configuration.callCount(ofDevice: "faulty")
    let start = System.seconds
    #expect(playback.tend { playback.events.count > 1 })
    let calls = configuration.callCount(ofDevice: "faulty") - before
    // A busy loop would make a million calls per second.
    #expect(Double(calls) < 1000 * (1 + System.seconds - start), "\(calls)")
    #expect(playback.play())
    #expect(playback.events == [.deviceLost, .deviceReturned])
    try expectNoGap("faulty", playback)
  }

  @Test func deviceThatTakesNothingIsOpenedAgain() throws {
    let playback = try play("stuck", .stall(at: 12_000), maxStallNanoseconds: 700_000_000)
    #expect(playback.tend { playback.events.count > 1 })
    #expect(playback.play())
    #expect(playback.events == [.deviceLost, .deviceReturned])
    try expectNoGap("stuck", playback)
  }

  @Test func stopReturnsWhileTheLibraryHangsAndNothingIsTakenLater() throws {
    let playback = try play("held", .hang(at: 9600, milliseconds: 2500))
    let configuration = try ALSAConfiguration.install()
    #expect(playback.tend { configuration.hasFailed(device: "held") })
    let before = System.seconds
    playback.target.stop()
    #expect(System.seconds - before < promptSeconds)
    let taken = playback.feed.consumedFrameCount
    #expect(eventually { !configuration.isOpen(device: "held") }, "The hang ends.")
    #expect(playback.feed.consumedFrameCount == taken)
  }

  @Test func targetRestartsAfterStopAndEndsWithLastReference() throws {
    let name = "reused"
    let configuration = try ALSAConfiguration.install()
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48000, channelCount: 2), frameCapacity: 480_000)
    let silence = [Float](repeating: 0, count: 960_000)
    _ = feed.write(silence.span)
    var target: ALSATarget? = try self.target(ALSAConfiguration.device(name))
    try target?.start(feed)
    #expect(throws: PlaybackError.self) { try target?.start(feed) }
    #expect(eventually { feed.consumedFrameCount > 0 }, "The running playback continues.")
    target?.stop()
    let taken = feed.consumedFrameCount
    try target?.start(feed)
    #expect(eventually { feed.consumedFrameCount > taken })
    #expect(configuration.isOpen(device: name))
    let before = System.seconds
    target = nil
    #expect(eventually { !configuration.isOpen(device: name) })
    #expect(System.seconds - before < promptSeconds)
  }

  // MARK: Selection

  @Test func devicesAreThoseThatCanBePlayedOn() throws {
    try ALSAConfiguration.install()
    let devices = try ALSAPlaybackSystem.playbackDevices()
    let device = try #require(devices.first { $0.id == "testspeaker" })
    #expect(device.details == "A loudspeaker of the tests")
    #expect(device.channelCount == 2)
    #expect(device.sampleRate == 48000)
    #expect(device.backend == .alsa && !device.isDefault)
    for id in ["default", "testmic", "null", "testsilence", "jack", "fault", "rawfile"] {
      #expect(!devices.contains { $0.id == id })
    }
    #expect(try !ALSASystem.devices().contains { $0.id == "testspeaker" })
    #expect(
      try target("testspeaker").preferredFormat()
        == PlaybackFormat(sampleRate: 48000, channelCount: 2))
  }

  @Test func alsaTargetStartErrorsNameTheReason() throws {
    try ALSAConfiguration.install()
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48000, channelCount: 2), frameCapacity: 4800)
    #expect(throws: PlaybackError.unknownDevice(id: "nosuch", backend: .alsa)) {
      try target("nosuch").start(feed)
    }
    #expect(throws: PlaybackError.noDevice(backend: .alsa)) {
      try ALSATarget(PlaybackRequest()).start(feed)
    }
    #expect(throws: PlaybackError.noDevice(backend: .alsa)) {
      try ALSATarget(PlaybackRequest()).preferredFormat()
    }
    let slow = ALSAConfiguration.device("slow", rate: 44100)
    let wide = ALSAConfiguration.device("wide", channels: 6)
    for (id, words) in [(slow, "44100 Hz"), (wide, "6 channels")] {
      let error = #expect(throws: PlaybackError.self) { try target(id).start(feed) }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }
}
#endif
