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

  @Test func devicesAreListedWithTheDefaultFirstAndWatched() throws {
    let session = try session()
    try session.createSource("front", description: "Front microphone")
    try session.createSource("single", channels: ["MONO"])
    try session.createSink("speaker", description: "Speakers")
    try session.createSink("mono", channels: ["MONO"])
    try session.setDefaultSource("single")
    try session.setDefaultSink("mono")
    var inputs: [Device] = []
    var outputs: [Device] = []
    #expect(
      try eventually {
        inputs = try PipeWireSystem.devices(for: .capture, remote: session.socket)
        outputs = try PipeWireSystem.devices(for: .playback, remote: session.socket)
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
    let changed = Semaphore()
    let watch = PipeWireSystem.watchDevices(remote: session.socket) { changed.signal() }
    // There are no changes to report before the watch is installed.
    var count = 0
    #expect(
      try eventually {
        count += 1
        try session.createSource("mic-\(count)")
        return changed.wait(milliseconds: 1000)
      }, "A new device is reported.")
    withExtendedLifetime(watch) {}
  }

  @Test func missingServerIsReported() throws {
    let (nowhere, reason) = ("/nowhere/pipewire-0", "no program listens at its socket")
    #expect(throws: DeviceError.noServer(backend: .pipeWire, reason: reason)) {
      try PipeWireSystem.checkAvailability(allowingOld: true, remote: nowhere)
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
    let blocks = harness.blocks.filter { $0.event == nil }
    #expect(blocks.allSatisfy { $0.channelCount == 2 && $0.sampleRate == 48000 })
    #expect(zip(blocks, blocks.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(harness.source.device?.id == "mic")
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
    #expect(
      try PipeWireSystem.devices(for: .capture, remote: session.socket).allSatisfy { $0.id != name }
    )
    try session.destroyNode("mic")
    #expect(harness.readEvent(.deviceLost))
    try session.createSource("mic")
    #expect(harness.readEvent(.deviceReturned) && harness.readSamples())
    harness.source.stop()
    #expect(eventually { session.nodeNumber(name) == nil }, "The module goes with the source.")
  }
}
