import AacornSystem
import SoundRigs
import Testing

@testable import AacornDevices

/// Capture and playback on a PipeWire server that the test starts.
///
/// Simulated servers test the rest exactly, see `SimulatedPipeWire`.
@Suite("PipeWire, with a server", .serialized, .tags(.smoke))
struct PipeWireSmokeTests {
  private func session() throws -> PipeWireSession { try PipeWireSession() }

  @Test func devicesAreListedWithTheDefaultFirst() throws {
    let session = try session()
    try session.createSource("front", description: "Front microphone")
    try session.createSource("single", channels: ["MONO"])
    try session.createSink("speaker", description: "Speakers")
    try session.setDefaultSource("single")
    var inputs: [Device] = []
    #expect(
      try eventually {
        inputs = try PipeWireSystem.devices(for: .capture, remote: session.socket)
        return inputs.first?.id == "single"
      }, "The session manager changes the default.")
    #expect(inputs.map(\.id) == ["single", "front", "speaker.monitor"])
    #expect(inputs.map(\.isDefault) == [true, false, false])
    #expect(inputs.prefix(2).map(\.channelCount) == [1, 2])
    #expect(inputs.prefix(2).map(\.name) == ["single", "Front microphone"])
    #expect(inputs.allSatisfy { $0.sampleRate == 48000 && $0.backend == .pipeWire })
    let outputs = try PipeWireSystem.devices(for: .playback, remote: session.socket)
    #expect(outputs.map(\.name) == ["Speakers"])
  }

  @Test func pipeWireMonitorCapturesPlayedFramesAndReportsKilledServer() throws {
    let session = try session()
    try session.createSink("speaker")
    let source = PipeWireSource(
      CaptureRequest(device: .pinned(id: "speaker.monitor")), remote: session.socket)
    let sink = CaptureSink()
    try source.start(sink)
    defer { source.stop() }
    #expect(source.device?.isMonitor == true)
    let playback = try NumberedPlayback(
      PipeWireTarget(PlaybackRequest(device: .pinned(id: "speaker")), remote: session.socket))
    #expect(playback.target.device?.id == "speaker")
    #expect(playback.isCaptured(by: sink))
    session.killServer()
    #expect(playback.hasLostItsDevice(and: sink))
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

  @Test func voiceProcessingUsesPipeWireModule() throws {
    let session = try session()
    try session.createSink("speaker")
    try session.createSource("mic")
    let source = PipeWireSource(
      CaptureRequest(device: .pinned(id: "mic"), isVoiceProcessed: true), remote: session.socket)
    let sink = CaptureSink()
    try source.start(sink)
    defer { source.stop() }
    var samples: [Float] = []
    var events: [DeviceEvent] = []
    func hasFrames(after expected: DeviceEvent...) -> Bool {
      var count = 0
      return eventually {
        guard let block = sink.read(into: &samples, milliseconds: 20) else { return false }
        if let event = block.event { events.append(event) }
        count = events == expected ? count + block.frameCount : 0
        return count >= 4800
      }
    }
    #expect(hasFrames())
    #expect(source.device?.id == "mic")
    #expect(source.diagnostics.contains { $0.contains("Echo") })
    let name = "aacorn-voice-\(System.processNumber)"
    #expect(session.nodeNumber(name) != nil)
    // No other program can use it as a microphone.
    #expect(
      try PipeWireSystem.devices(for: .capture, remote: session.socket).allSatisfy { $0.id != name }
    )
    try session.destroyNode("mic")
    try session.createSource("mic")
    #expect(hasFrames(after: .deviceLost, .deviceReturned))
    source.stop()
    #expect(eventually { session.nodeNumber(name) == nil }, "The module goes with the source.")
  }
}
