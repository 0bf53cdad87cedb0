#if os(Linux)
import AacornDevices
import SoundRigs
import Testing

/// The real library, without a sound card.
@Suite(.serialized, .tags(.smoke)) struct ALSASmokeTests {
  @Test func devicesOfTheConfigurationAreListed() throws {
    try ALSAConfiguration.install()
    let captured = try ALSASystem.devices(for: .capture)
    let played = try ALSASystem.devices(for: .playback)
    #expect(captured.first { $0.id == "testdevice" }?.details == "A device of the tests")
    #expect(played.first { $0.id == "testdevice" }?.details == "A device of the tests")
    let ids = captured.map(\.id) + played.map(\.id)
    // A missing device, silence, a filter, a template that needs arguments, and a server that prints errors.
    for id in ["default", "null", "testsilence", "upmix", "rawfile", "jack"] {
      #expect(!ids.contains(id))
    }
  }

  @Test func deviceIsReadAndMissingOnesAreRefused() throws {
    let samples: [Int32] = (0..<96_000).map { Int32($0) << 8 }
    let id = try ALSAConfiguration.install().file(of: samples)
    let source = try ALSASource(CaptureRequest(device: .pinned(id: id)))
    let sink = CaptureSink()
    try source.start(sink)
    var read: [Float] = []
    #expect(
      eventually {
        _ = sink.read(into: &read, milliseconds: 20)
        return read.count >= 48_000
      })
    source.stop()
    let isExact = Array(read.prefix(48_000)) == samples.prefix(48_000).map { Float($0) * 0x1p-31 }
    #expect(isExact)

    #expect(throws: DeviceError.unknownDevice(id: "nosuch", backend: .alsa)) {
      try ALSASource(CaptureRequest(device: .pinned(id: "nosuch"))).start(sink)
    }
    // The library's message is part of the error instead of being printed.
    let wrong = try ALSASource(CaptureRequest(device: .pinned(id: "rawfile:NONE=1")))
    let error = #expect(throws: DeviceError.self) { try wrong.start(sink) }
    #expect(error?.message.contains("NONE") == true, "\(String(describing: error))")
  }

  @Test func pulsePlugInCapturesPlayedFramesAndReportsKilledServer() throws {
    try ALSAConfiguration.install()
    let server = try PulseServer(modules: [PulseServer.nullSink("quiet")])
    defer { server.stop() }
    let source = try ALSASource(
      CaptureRequest(
        device: .pinned(id: ALSAConfiguration.pulse("quiet.monitor", server: server.address))))
    let target = ALSATarget(
      PlaybackRequest(
        device: .pinned(id: ALSAConfiguration.pulse("quiet", server: server.address)),
        latency: .milliseconds(400)))
    let sink = CaptureSink()
    try source.start(sink)
    defer { source.stop() }
    let playback = try NumberedPlayback(target)
    #expect(playback.isCaptured(by: sink))
    #expect(playback.events == [])
    server.kill()
    #expect(playback.hasLostItsDevice(and: sink))
  }
}
#endif
