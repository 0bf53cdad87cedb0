import AacornDevices
import SoundRigs
import Testing

struct SyntheticSystemTests {
  @Test func everyDeviceOfTheListCanBeCaptured() throws {
    let devices = SyntheticSystem.devices(for: .capture)
    #expect(devices.map(\.id) == ["tone", "sweep", "speech", "silence", "counter"])
    #expect(devices.filter(\.isDefault).map(\.id) == ["tone"])
    for device in devices {
      let request = CaptureRequest(
        device: .pinned(id: device.id), sampleRate: 22_050, channelCount: 3,
        blockDuration: .milliseconds(20))
      let source = try SyntheticSystem.makeSource(request, pacing: .unpaced)
      let sink = CaptureSink(sampleCapacity: 8192)
      try source.start(sink)
      var samples: [Float] = []
      let block = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
      source.stop()
      #expect(block.sampleRate == 22_050 && block.channelCount == 3 && block.frameCount == 441)
      #expect(source.device?.id == device.id && source.device?.channelCount == 3)
    }
  }

  @Test func theDefaultIsTheToneInStereo() throws {
    let source = try SyntheticSystem.makeSource(CaptureRequest())
    #expect(source.device?.id == "tone" && source.device?.sampleRate == 48_000)
    #expect(source.device?.channelCount == 2 && source.followsClock)
  }

  @Test func syntheticSystemRejectsInvalidRequests() {
    #expect(throws: DeviceError.unknownDevice(id: "mic", backend: .synthetic)) {
      try SyntheticSystem.makeSource(CaptureRequest(device: .pinned(id: "mic")))
    }
    #expect(throws: DeviceError.self) {
      try SyntheticSystem.makeSource(CaptureRequest(sampleRate: 0))
    }
    #expect(throws: DeviceError.self) {
      try SyntheticSystem.makeSource(CaptureRequest(channelCount: 65))
    }
    #expect(throws: DeviceError.self) {
      try SyntheticSystem.makeSource(CaptureRequest(isVoiceProcessed: true))
    }
  }

  @Test func filesAreRecognizedByTheirId() {
    let file = SyntheticSystem.fileDevice(id: "file:/music/a b.wav")
    #expect(file?.path == "/music/a b.wav")
    #expect(file?.device.id == "file:/music/a b.wav" && file?.device.name == "a b.wav")
    #expect(SyntheticSystem.fileDevice(id: "file:") == nil)
    #expect(SyntheticSystem.fileDevice(id: "tone") == nil)
  }
}
