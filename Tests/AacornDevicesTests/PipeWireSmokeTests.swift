import AacornSignal
import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornDevices

/// Capture and playback on a PipeWire server that the test starts.
@Suite("PipeWire, with a server", .serialized, .tags(.smoke))
struct PipeWireSmokeTests {
  private func session() throws -> PipeWireSession { try PipeWireSession() }

  private let microphone = CaptureRequest(device: .pinned(id: "mic"))
  private let speaker = PlaybackRequest(device: .pinned(id: "speaker"))

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
    try session.createSource("front", description: "Front microphone")
    try session.createSource("single", channels: ["MONO"])
    try session.createSink("speaker", description: "Speakers")
    try session.createSink("mono", channels: ["MONO"])
    try session.setDefaultSource("single")
    try session.setDefaultSink("mono")
    var inputs: [CaptureDevice] = []
    var outputs: [PlaybackDevice] = []
    #expect(
      try eventually {
        inputs = try PipeWireSystem.devices(remote: session.socket)
        outputs = try PipeWirePlaybackSystem.playbackDevices(remote: session.socket)
        return inputs.first?.id == "single" && outputs.first?.id == "mono"
      }, "The session manager changes the defaults.")
    #expect(Set(inputs.dropFirst(2).map(\.id)) == ["speaker.monitor", "mono.monitor"])
    #expect(inputs.prefix(2).map(\.id) == ["single", "front"])
    #expect(inputs.prefix(2).map(\.channelCount) == [1, 2])
    #expect(inputs.prefix(2).map(\.name) == ["single", "Front microphone"])
    #expect(inputs.map(\.isDefault) == [true, false, false, false])
    #expect(inputs.allSatisfy { $0.sampleRate == 48000 && $0.backend == .pipeWire })
    #expect(outputs.map(\.id) == ["mono", "speaker"])
    #expect(outputs.map(\.channelCount) == [1, 2])
    #expect(outputs.map(\.name) == ["mono", "Speakers"])
    #expect(outputs.map(\.isDefault) == [true, false])
    #expect(outputs.allSatisfy { $0.sampleRate == 48000 && $0.backend == .pipeWire })
    let format = try PipeWireTarget(speaker, remote: session.socket).preferredFormat()
    #expect(format.sampleRate == 48000)
    #expect(format.layout == ChannelLayout([.frontLeft, .frontRight]))
  }

  @Test func deviceWatchReportsAddedAndRemovedDevices() throws {
    let session = try session()
    let changed = Semaphore()
    let watch = PipeWireSystem.watchDevices(remote: session.socket) { changed.signal() }
    #expect(watch != nil)
    // There are no changes to report before the watch is installed.
    var count = 0
    #expect(
      try eventually {
        count += 1
        try session.createSource("mic-\(count)")
        return changed.wait(milliseconds: 1000)
      }, "A new device is reported.")
    while changed.wait(milliseconds: 300) {}
    try session.destroyNode("mic-1")
    #expect(changed.wait(milliseconds: TestTimeout.milliseconds), "A lost device is reported.")
    withExtendedLifetime(watch) {}
  }

  @Test func missingDevicesAndServersAreReported() throws {
    let session = try session()
    #expect(throws: CaptureError.noDevice(backend: .pipeWire)) {
      try PipeWireHarness(CaptureRequest(), session)
    }
    #expect(throws: CaptureError.unknownDevice(id: "mic", backend: .pipeWire)) {
      try PipeWireHarness(microphone, session)
    }
    #expect(throws: PlaybackError.noDevice(backend: .pipeWire)) {
      try play(PlaybackRequest(), session)
    }
    #expect(throws: PlaybackError.unknownDevice(id: "speaker", backend: .pipeWire)) {
      try play(speaker, session)
    }
    let format = PlaybackFormat(sampleRate: 48000, channelCount: 65)
    let error = #expect(throws: PlaybackError.self) {
      try PipeWireTarget(PlaybackRequest()).start(PlaybackFeed(format, frameCapacity: 480))
    }
    #expect(error?.message.contains("64 channels") == true)
    session.suspendServer(true)
    #expect(
      throws: CaptureError.noServer(backend: .pipeWire, reason: "it does not answer")
    ) { try PipeWireSystem.devices(remote: session.socket) }
    session.suspendServer(false)
    let (nowhere, reason) = ("/nowhere/pipewire-0", "no program listens at its socket")
    #expect(throws: CaptureError.noServer(backend: .pipeWire, reason: reason)) {
      try PipeWireSystem.checkAvailability(allowingOld: true, remote: nowhere)
    }
    #expect(throws: PlaybackError.noServer(backend: .pipeWire, reason: reason)) {
      try PipeWirePlaybackSystem.checkAvailability(allowingOld: true, remote: nowhere)
    }
  }

  // MARK: Samples

  /// The frames in a cycle of the graph: 85 ms, which is the player's deadline for each cycle.
  private static let cycle = 4096

  /// Repeats `body` until the player was in time from the first frame to the last.
  ///
  /// While the player is late, the server delivers silence, and captured frames cannot be
  /// distinguished from lost ones. The long cycle makes that rare.
  private func playUndisturbed(
    _ harness: PipeWireHarness, _ session: PipeWireSession, _ body: () throws -> Void
  ) throws {
    try session.setCycle(frameCount: Self.cycle)
    let deadline = System.seconds + TestTimeout.seconds
    repeat {
      session.stopPlaying()
      // Frames in transit must not be mistaken for frames of the next attempt.
      #expect(harness.readSilence(), "Silence follows what was played.")
      harness.clear()
      try body()
    } while harness.isDisturbed && System.seconds < deadline
    #expect(!harness.isDisturbed, "The player was never in time.")
    let received = harness.counters.filter { $0 != 0 }
    #expect(zip(received, received.dropFirst()).allSatisfy { $0 < $1 })
    #expect(harness.skippedCount == harness.lossSinceCounting)
  }

  @Test func pipeWireCaptureDeliversEveryFrameOnceInOrder() throws {
    let session = try session()
    try session.createSource("mic")
    let frameCount = 72_000
    let file = try session.writeCounter(frameCount: frameCount)
    let harness = try PipeWireHarness(microphone, session)
    try playUndisturbed(harness, session) {
      try session.play(file, into: "mic")
      // The player's last partial cycle is not delivered.
      #expect(harness.read { _ in harness.lastCounter > frameCount - 2 * Self.cycle })
    }
    let received = harness.counters.count { $0 != 0 }
    #expect(received + harness.lossSinceCounting > frameCount - 2 * Self.cycle)
    let blocks = harness.blocks.filter { $0.event == .samples }
    #expect(blocks.allSatisfy { $0.channelCount == 2 && $0.sampleRate == 48000 })
    #expect(zip(blocks, blocks.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(harness.source.device?.id == "mic")
  }

  @Test func lossByStalledThreadIsCountedExactly() throws {
    let session = try session()
    try session.createSource("mic")
    let file = try session.writeCounter(frameCount: 96_000)
    // New threads inherit the set of blocked signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGUSR2)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGUSR2) { _ in usleep(300_000) }
    let before = ProcessThread.all
    let harness = try PipeWireHarness(microphone, session)
    let new = ProcessThread.all.subtracting(before)
    try playUndisturbed(harness, session) {
      try session.play(file, into: "mic")
      #expect(harness.read { _ in harness.lastCounter > 4800 })
      // Stops the data thread and other new threads, as on a machine that is too busy.
      for thread in new { thread.signal(SIGUSR2) }
      #expect(harness.read { $0.lostFrameCount > 4800 })
      #expect(harness.readSamples())
    }
    #expect(harness.lossSinceCounting > 4800)
    #expect(harness.blocks.contains { $0.lostFrameCount > 4800 && $0.lossCause == .programLate })
  }

  @Test func pipeWireTargetPlaysEveryFrameOnceAtItsTime() throws {
    let session = try session()
    try session.createSink("speaker")
    let harness = try PipeWireHarness(
      CaptureRequest(device: .pinned(id: "speaker.monitor")), session)
    #expect(harness.source.device?.isMonitor == true)
    // The second channel is linked after the first, during the silence.
    let silence = 48_000
    var difference: Int?
    try playUndisturbed(harness, session) {
      let playback = try play(speaker, session, silence: silence)
      #expect(
        harness.read { _ in
          playback.tend()
          return harness.lastCounter > 48_000
        })
      if let block = harness.blocks.last,
        let playedFrame = playback.feed.playedFrame(at: block.time),
        let number = harness.counters.suffix(block.frameCount).first
      {
        difference = playedFrame - (silence + number - 1)
      }
      #expect(playback.changes == [])
      #expect(playback.target.device?.id == "speaker")
    }
    let frames = try #require(difference)
    print("PipeWire says that a frame sounds \(Double(frames) / 48) ms before it is captured.")
    #expect(abs(frames) <= 2 * Self.cycle)
  }

  @Test func callbacksHaveTheOrderOfTheSimulatedServer() throws {
    let session = try session()
    for name in ["one", "two"] { try session.createSink(name) }
    try session.setDefaultSink("one")
    let order = try PipeWireTrace.record(
      .system,
      PipeWireTrace.Server(
        address: session.socket, makeTwoDefault: { try session.setDefaultSink("two") },
        unplugBoth: { for name in ["one", "two"] { try session.destroyNode(name) } },
        plugInOne: { try session.createSink("one") }, kill: { session.killServer() }))
    #expect(order == PipeWireTrace.expected)
  }

  // MARK: Loss and return

  @Test func pinnedDeviceIsWaitedForAndNoOtherTaken() throws {
    let session = try session()
    try session.createSource("other")
    try session.createSource("mic")
    try session.createSink("spare")
    try session.createSink("speaker")
    let harness = try PipeWireHarness(microphone, session)
    let playback = try play(speaker, session)
    #expect(harness.readSamples() && playback.play())
    try session.destroyNode("mic")
    try session.destroyNode("speaker")
    #expect(harness.readEvent(.deviceLost))
    #expect(playback.tend { playback.events.contains(.deviceLost) })
    let (count, taken) = (harness.samples.count, playback.feed.consumedFrameCount)
    // Time to select another device, which must not happen.
    let end = System.seconds + 0.6
    playback.tend { System.seconds > end }
    harness.readRest()
    #expect(harness.samples.count == count && playback.feed.consumedFrameCount == taken)
    try session.createSource("mic")
    #expect(harness.readEvent(.deviceReturned))
    #expect(harness.samples.count == count)
    try session.createSink("speaker")
    #expect(playback.tend { playback.events.contains(.deviceReturned) })
    #expect(harness.readSamples() && playback.play())
    #expect(harness.events == [.deviceLost, .deviceReturned])
    #expect(playback.changes == [.deviceLost, .deviceReturned])
    #expect(harness.source.device?.id == "mic" && playback.target.device?.id == "speaker")
  }

  @Test func defaultDeviceIsFollowedAndTheLastOneAwaited() throws {
    let session = try session()
    try session.createSource("first")
    let harness = try PipeWireHarness(CaptureRequest(), session)
    #expect(harness.readSamples())
    #expect(harness.source.device?.id == "first")
    try session.createSource("second")
    try session.setDefaultSource("second")
    #expect(harness.readEvent(.deviceChanged))
    #expect(harness.readSamples())
    #expect(harness.source.device?.id == "second")
    try session.destroyNode("first")
    try session.destroyNode("second")
    #expect(harness.readEvent(.deviceLost))
    try session.createSource("third")
    #expect(harness.readEvent(.deviceReturned))
    #expect(harness.readSamples())
    #expect(harness.events == [.deviceChanged, .deviceLost, .deviceReturned])
    #expect(harness.source.device?.id == "third")

    try session.createSink("speaker")
    let playback = try play(PlaybackRequest(), session)
    #expect(playback.play())
    #expect(playback.tend { playback.target.device?.id == "speaker" })
    try session.createSink("headphones")
    try session.setDefaultSink("headphones")
    #expect(playback.tend { playback.events.contains(.deviceChanged) })
    #expect(playback.play())
    #expect(playback.target.device?.id == "headphones")
    #expect(playback.changes == [.deviceChanged])
  }

  @Test func serverThatDiesIsWaitedFor() throws {
    let session = try session()
    func createDevices() throws {
      try session.createSource("mic")
      try session.createSink("speaker")
    }
    try createDevices()
    let harness = try PipeWireHarness(microphone, session)
    let playback = try play(speaker, session)
    #expect(harness.readSamples() && playback.play())
    session.killServer()
    #expect(harness.readEvent(.deviceLost))
    #expect(playback.tend { playback.events.contains(.deviceLost) })
    try session.startServer()
    try createDevices()
    #expect(harness.readEvent(.deviceReturned))
    #expect(playback.tend { playback.events.contains(.deviceReturned) })
    #expect(harness.readSamples() && playback.play())
    #expect(harness.events == [.deviceLost, .deviceReturned])
    #expect(playback.changes == [.deviceLost, .deviceReturned])
  }

  // MARK: Ending

  @Test func stopIsPromptInEveryStateAndNothingFollows() throws {
    let session = try session()
    try session.createSource("mic")
    try session.createSink("speaker")
    func expectPromptStop(_ harness: PipeWireHarness, _ playback: NumberedPlayback) {
      for stop in [harness.source.stop, playback.target.stop] {
        let start = System.seconds
        stop()
        #expect(System.seconds - start < promptSeconds)
      }
    }
    let flowing = (try PipeWireHarness(microphone, session), try play(speaker, session))
    let hanging = (try PipeWireHarness(microphone, session), try play(speaker, session))
    let lonely = (try PipeWireHarness(microphone, session), try play(speaker, session))
    #expect(flowing.0.readSamples() && flowing.1.play())
    expectPromptStop(flowing.0, flowing.1)
    flowing.0.readRest()
    let taken = flowing.1.feed.consumedFrameCount
    #expect(hanging.1.play() && lonely.1.play())
    #expect(!flowing.0.read(seconds: 0.2) { _ in true })
    #expect(flowing.1.feed.consumedFrameCount == taken)

    session.suspendServer(true)
    hanging.0.readUntilIdle()
    expectPromptStop(hanging.0, hanging.1)
    // A device that requests nothing counts as suspended.
    #expect(lonely.1.tend { lonely.1.events.contains(.suspended) })
    session.suspendServer(false)
    #expect(lonely.1.tend { lonely.1.events.last == .resumed })
    #expect(lonely.1.play() && lonely.1.changes == [])

    session.killServer()
    #expect(lonely.0.readEvent(.deviceLost))
    #expect(lonely.1.tend { lonely.1.events.contains(.deviceLost) })
    expectPromptStop(lonely.0, lonely.1)
  }

  @Test func sourceAndTargetRejectSecondStartAndRestart() throws {
    let session = try session()
    try session.createSource("mic")
    try session.createSink("speaker")
    var request = microphone
    (request.sampleRate, request.channelCount) = (44_100, 1)
    let harness = try PipeWireHarness(request, session)
    #expect(throws: CaptureError.alreadyRunning(id: "mic")) {
      try harness.source.start(CaptureSink())
    }
    #expect(harness.readSamples(9600))
    let blocks = harness.blocks.filter { $0.event == .samples }
    #expect(blocks.allSatisfy { $0.sampleRate == 44_100 && $0.channelCount == 1 })
    harness.source.stop()
    let again = CaptureSink()
    try harness.source.start(again)
    var samples: [Float] = []
    #expect(eventually { again.read(into: &samples, milliseconds: 20) != nil })

    let feed = PlaybackFeed(.init(sampleRate: 48000, channelCount: 2), frameCapacity: 48_000)
    var target: PipeWireTarget? = PipeWireTarget(speaker, remote: session.socket)
    _ = feed.write(array: [Float](repeating: 0, count: 96_000))
    try target?.start(feed)
    #expect(throws: PlaybackError.self) { try target?.start(feed) }
    #expect(
      eventually { feed.underrunCount > 0 && feed.missingFrameCount > 4800 },
      "The running playback continues, with silence when the feed is empty.")
    _ = feed.write(array: [Float](repeating: 0, count: 96_000))
    #expect(eventually { feed.consumedFrameCount > 48_000 }, "Later frames are played, too.")
    target?.stop()
    let taken = feed.consumedFrameCount
    _ = feed.write(array: [Float](repeating: 0, count: 96_000))
    try target?.start(feed)
    #expect(eventually { feed.consumedFrameCount > taken })
    #expect(target?.device?.id == "speaker")
    let isReleased = { [weak target] in target == nil }
    let before = System.seconds
    target = nil
    #expect(isReleased())
    #expect(System.seconds - before < promptSeconds)
  }

  @Test func voiceProcessingUsesPipeWireModule() throws {
    let session = try session()
    try session.createSink("speaker")
    try session.createSource("mic")
    var request = microphone
    request.isVoiceProcessed = true
    let harness = try PipeWireHarness(request, session)
    #expect(harness.readSamples())
    #expect(harness.source.device?.id == "mic")
    #expect(harness.source.diagnostics.contains { $0.contains("Echo") })
    let name = "aacorn-voice-\(System.processNumber)"
    #expect(session.nodeNumber(name) != nil)
    // No other program can use it as a microphone.
    #expect(try PipeWireSystem.devices(remote: session.socket).allSatisfy { $0.id != name })
    try session.destroyNode("mic")
    #expect(harness.readEvent(.deviceLost))
    try session.createSource("mic")
    #expect(harness.readEvent(.deviceReturned) && harness.readSamples())
    harness.source.stop()
    #expect(eventually { session.nodeNumber(name) == nil }, "The module goes with the source.")
  }
}
