import AacornSignal
import AacornSystem
import SoundRigs
import Testing

@testable import AacornDevices

/// Playback on a PipeWire server that the test starts.
@Suite("PipeWire's playback, with a server", .serialized, .tags(.smoke))
struct PipeWireTargetTests {
  private func session() throws -> PipeWireSession { try PipeWireSession() }

  private func pinned(_ id: String) -> PlaybackRequest { PlaybackRequest(device: .pinned(id: id)) }

  private func play(
    _ request: PlaybackRequest, _ session: PipeWireSession, silence: Int = 0
  ) throws -> NumberedPlayback {
    try NumberedPlayback(PipeWireTarget(request, remote: session.socket), silence: silence) {
      [Float($0 & 0x7FFF) / 32768, Float($0 >> 15) / 32768]
    }
  }

  // MARK: Devices

  @Test func devicesAreListedWithTheDefaultFirst() throws {
    let session = try session()
    try session.createSource("mic")
    try session.createSink("front", description: "Front speakers")
    try session.createSink("single", channels: ["MONO"])
    try session.setDefaultSink("single")
    var devices: [PlaybackDevice] = []
    #expect(
      try eventually {
        devices = try PipeWirePlaybackSystem.playbackDevices(remote: session.socket)
        return devices.first?.id == "single"
      }, "The session manager changes the default.")
    #expect(devices.map(\.id) == ["single", "front"])
    #expect(devices.map(\.name) == ["single", "Front speakers"])
    #expect(devices.map(\.channelCount) == [1, 2])
    #expect(devices.map(\.isDefault) == [true, false])
    #expect(devices.allSatisfy { $0.sampleRate == 48000 && $0.backend == .pipeWire })
    let format = try PipeWireTarget(pinned("front"), remote: session.socket).preferredFormat()
    #expect(format.sampleRate == 48000)
    #expect(format.layout == ChannelLayout([.frontLeft, .frontRight]))
  }

  @Test func missingOrUnknownDeviceIsReported() throws {
    let session = try session()
    #expect(throws: PlaybackError.noDevice(backend: .pipeWire)) {
      try play(PlaybackRequest(), session)
    }
    #expect(throws: PlaybackError.unknownDevice(id: "nobody", backend: .pipeWire)) {
      try play(pinned("nobody"), session)
    }
  }

  @Test func missingServerIsReported() {
    let expected = PlaybackError.noServer(
      backend: .pipeWire, reason: "no program listens at its socket")
    #expect(throws: expected) {
      try PipeWirePlaybackSystem.checkAvailability(
        allowingOld: true, remote: "/nowhere/pipewire-0")
    }
  }

  @Test func moreChannelsThanPipeWireTakesAreRefused() {
    let format = PlaybackFormat(sampleRate: 48000, channelCount: 65)
    let error = #expect(throws: PlaybackError.self) {
      try PipeWireTarget(PlaybackRequest()).start(PlaybackFeed(format, frameCapacity: 480))
    }
    #expect(error?.message.contains("64 channels") == true)
  }

  // MARK: Samples

  @Test func pipeWireTargetPlaysEveryFrameOnceAtItsTime() throws {
    let session = try session()
    try session.createSink("speaker")
    // 85 ms, which is this program's deadline for each cycle. While the program is late, the server
    // plays silence, and the frames that it replaces are unknown.
    let cycle = 4096
    try session.setCycle(frameCount: cycle)
    let harness = try PipeWireHarness(
      CaptureRequest(device: .pinned(id: "speaker.monitor")), session)
    let deadline = System.seconds + TestTimeout.seconds
    // The second channel is linked after the first, during the silence.
    let silence = 48_000
    var difference: Int?
    repeat {
      #expect(harness.readSilence(), "Silence follows what was played.")
      harness.clear()
      let playback = try play(pinned("speaker"), session, silence: silence)
      let isCaptured = harness.read { _ in
        playback.tend()
        return harness.lastCounter > 48_000
      }
      #expect(isCaptured)
      if let block = harness.blocks.last,
        let playedFrame = playback.feed.playedFrame(at: block.time),
        let number = harness.counters.suffix(block.frameCount).first
      {
        difference = playedFrame - (silence + number - 1)
      }
      #expect(playback.changes == [])
      #expect(playback.target.device?.id == "speaker")
    } while harness.isDisturbed && System.seconds < deadline
    #expect(!harness.isDisturbed, "The player was never in time.")
    let received = harness.counters.filter { $0 != 0 }
    #expect(zip(received, received.dropFirst()).allSatisfy { $0 < $1 })
    #expect(harness.skippedCount == harness.lossSinceCounting)
    let frames = try #require(difference)
    print("PipeWire says that a frame sounds \(Double(frames) / 48) ms before it is captured.")
    #expect(abs(frames) <= 2 * cycle)
  }

  @Test func missingSamplesAreSilenceAndCounted() throws {
    let session = try session()
    try session.createSink("speaker")
    let playback = try play(pinned("speaker"), session)
    #expect(playback.play())
    #expect(
      eventually { playback.feed.underrunCount > 0 && playback.feed.missingFrameCount > 4800 },
      "Nobody writes, and the device plays silence.")
    #expect(playback.play())
    #expect(playback.changes == [])
  }

  // MARK: Loss and return

  @Test func pinnedDeviceIsWaitedForAndNoOtherTaken() throws {
    let session = try session()
    try session.createSink("other")
    try session.createSink("speaker")
    let playback = try play(pinned("speaker"), session)
    #expect(playback.play())
    try session.destroyNode("speaker")
    #expect(playback.tend { playback.events.contains(.deviceLost) })
    let taken = playback.feed.consumedFrameCount
    // Time to select another device, which must not happen.
    let end = System.seconds + 0.6
    playback.tend { System.seconds > end }
    #expect(playback.feed.consumedFrameCount == taken)
    try session.createSink("speaker")
    #expect(playback.tend { playback.events.contains(.deviceReturned) })
    #expect(playback.play())
    #expect(playback.changes == [.deviceLost, .deviceReturned])
    #expect(playback.target.device?.id == "speaker")
  }

  @Test func pipeWireTargetFollowsTheDefaultDevice() throws {
    let session = try session()
    try session.createSink("first")
    let playback = try play(PlaybackRequest(), session)
    #expect(playback.play())
    #expect(playback.tend { playback.target.device?.id == "first" })
    try session.createSink("second")
    try session.setDefaultSink("second")
    #expect(playback.tend { playback.events.contains(.deviceChanged) })
    #expect(playback.play())
    #expect(playback.target.device?.id == "second")
    #expect(playback.changes == [.deviceChanged])
  }

  @Test func serverThatDiesIsWaitedFor() throws {
    let session = try session()
    try session.createSink("speaker")
    let playback = try play(pinned("speaker"), session)
    #expect(playback.play())
    session.killServer()
    #expect(playback.tend { playback.events.contains(.deviceLost) })
    try session.startServer()
    try session.createSink("speaker")
    #expect(playback.tend { playback.events.contains(.deviceReturned) })
    #expect(playback.play())
    #expect(playback.changes == [.deviceLost, .deviceReturned])
  }

  @Test func deviceThatAsksForNothingSleeps() throws {
    let session = try session()
    try session.createSink("speaker")
    let playback = try play(pinned("speaker"), session)
    #expect(playback.play())
    session.suspendServer(true)
    #expect(playback.tend { playback.events.contains(.suspended) })
    session.suspendServer(false)
    #expect(playback.tend { playback.events.last == .resumed })
    #expect(playback.play())
    #expect(playback.changes == [])
  }

  // MARK: Ending

  @Test func targetRestartsAfterStopAndEndsWithLastReference() throws {
    let session = try session()
    try session.createSink("speaker")
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48000, channelCount: 2), frameCapacity: 480_000)
    let silence = [Float](repeating: 0, count: 960_000)
    _ = feed.write(silence.span)
    var target: PipeWireTarget? = PipeWireTarget(pinned("speaker"), remote: session.socket)
    try target?.start(feed)
    #expect(throws: PlaybackError.self) { try target?.start(feed) }
    #expect(eventually { feed.consumedFrameCount > 0 }, "The running playback continues.")
    target?.stop()
    let taken = feed.consumedFrameCount
    try target?.start(feed)
    #expect(eventually { feed.consumedFrameCount > taken })
    #expect(target?.device?.id == "speaker")
    let isReleased = { [weak target] in target == nil }
    let before = System.seconds
    target = nil
    #expect(isReleased())
    #expect(System.seconds - before < promptSeconds)
  }

  @Test func stopIsPromptInEveryStateAndNothingIsTakenAfterIt() throws {
    let session = try session()
    try session.createSink("speaker")
    func stop(_ playback: NumberedPlayback) -> Double {
      let start = System.seconds
      playback.target.stop()
      return System.seconds - start
    }
    let flowing = try play(pinned("speaker"), session)
    let hanging = try play(pinned("speaker"), session)
    let lonely = try play(pinned("speaker"), session)
    #expect(flowing.play())
    #expect(stop(flowing) < promptSeconds)
    let taken = flowing.feed.consumedFrameCount
    #expect(hanging.play())
    #expect(flowing.feed.consumedFrameCount == taken)

    session.suspendServer(true)
    #expect(stop(hanging) < promptSeconds)
    session.suspendServer(false)

    session.killServer()
    #expect(lonely.tend { lonely.events.contains(.deviceLost) })
    #expect(stop(lonely) < promptSeconds)
  }
}
