import AacornDevices
import AacornSystem
import SoundRigs
import Testing

/// The list of servers and devices, and rejected requests.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioSystemTests {
  private static func source(
    _ server: PulseServer, pinned id: String? = nil, rate: Int? = nil, channels: Int? = nil
  ) throws -> PulseAudioSource {
    let choice = id.map { CaptureRequest.DeviceChoice.pinned(id: $0) } ?? .followingDefault
    return try PulseAudioSource(
      CaptureRequest(device: choice, sampleRate: rate, channelCount: channels),
      server: server.address)
  }

  @Test func devicesAreListedWithTheDefaultFirst() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("speaker", rate: 44100, channels: 6), PulseServer.pipeSource("mic"),
      PulseServer.pipeSource("other", rate: 16000, channels: 1),
    ])
    defer { server.stop() }
    try server.setDefaultSource("other")
    let devices = try PulseAudioSystem.devices(server: server.address)
    #expect(devices.map(\.id) == ["other", "mic", "speaker.monitor"])
    #expect(devices.map(\.isDefault) == [true, false, false])
    #expect(devices.map(\.isMonitor) == [false, false, true])
    #expect(devices.map(\.channelCount) == [1, 2, 6])
    #expect(devices.map(\.sampleRate) == [16000, 48000, 44100])
    #expect(devices.allSatisfy { !$0.name.isEmpty && $0.backend == .pulseAudio })
  }

  @Test func pulseSourceStartFailuresThrowSpecificErrors() throws {
    let nowhere = "unix:/nonexistent/socket"
    let request = CaptureRequest()
    #expect {
      try PulseAudioSource(request, server: nowhere).start(CaptureSink())
    } throws: { error in
      guard case .noServer(.pulseAudio, let reason)? = error as? CaptureError else { return false }
      return reason == "connection refused"
    }
    #expect(throws: CaptureError.self) { try PulseAudioSystem.devices(server: nowhere) }

    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    #expect(throws: CaptureError.unknownDevice(id: "missing", backend: .pulseAudio)) {
      try Self.source(server, pinned: "missing").start(CaptureSink())
    }
    let empty = try PulseServer()
    defer { empty.stop() }
    #expect(throws: CaptureError.noDevice(backend: .pulseAudio)) {
      try Self.source(empty).start(CaptureSink())
    }
    #expect(throws: CaptureError.self) {
      try Self.source(server, rate: 0).start(CaptureSink())
    }
    #expect(throws: CaptureError.self) {
      try Self.source(server, channels: 33).start(CaptureSink())
    }
  }

  @Test func aServerThatHangsIsGivenUp() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    server.freeze()
    defer { server.thaw() }
    #expect(throws: CaptureError.noServer(backend: .pulseAudio, reason: "it does not respond")) {
      try PulseAudioSystem.devices(server: server.address)
    }
  }

  @Test func pulseDeviceWatchReportsChanges() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let changes = Semaphore()
    var watch = PulseAudioSystem.watchDevices(server: server.address) { changes.signal() }
    #expect(watch != nil)
    // There are no changes to report before the watch is installed.
    var module = 0
    #expect(
      try eventually {
        module = try server.load(PulseServer.nullSink("other"))
        return changes.wait(milliseconds: 1000)
      }, "A new device is reported.")
    while changes.wait(milliseconds: 200) {}
    try server.unload(module)
    #expect(changes.wait(milliseconds: TestTimeout.milliseconds), "A lost device is reported.")
    while changes.wait(milliseconds: 200) {}
    server.kill()
    try server.restart()
    #expect(
      changes.wait(milliseconds: TestTimeout.milliseconds), "A server that returns is reported.")
    let before = System.seconds
    watch = nil
    #expect(System.seconds - before < promptSeconds)
  }
}
