#if SIMULATED_IOS
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// Connected and disconnected devices.
  @Suite struct PhoneRoute {
    @Test func aHeadsetIsFollowedThereAndBack() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedPhone.connect(input: .headsetMicrophone, output: .headphones)
      #expect(capture.step { capture.events == [.deviceChanged] })
      #expect(capture.source.device?.id == SimulatedPort.headsetMicrophone.id)
      #expect(capture.isGapless(after: 5))
      SimulatedPhone.disconnect(.headsetMicrophone)
      #expect(capture.step { capture.events == [.deviceChanged, .deviceChanged] })
      #expect(capture.source.device?.id == SimulatedPort.builtInMicrophone.id)
    }

    @Test func changingOutputsLoseNoFrames() throws {
      let capture = try SimulatedCapture(stepping: 5)
      let unit = try #require(SimulatedUnits.open.first)
      SimulatedPhone.connect(output: .headphones)
      SimulatedPhone.disconnect(.headphones)
      // A change of the input follows, to be sure that the earlier change was handled.
      capture.step(5)
      SimulatedPhone.setRates([44_100], of: .builtInMicrophone)
      #expect(capture.isGapless)
      #expect(capture.samples.count == 10 * 512)
      #expect(unit.isRunning || capture.step { capture.last?.sampleRate == 44_100 })
    }

    @Test func bluetoothHeadsetSetsItsRate() throws {
      let capture = try SimulatedCapture(sharing: .init(bluetooth: .handsFree), stepping: 5)
      SimulatedPhone.connect(input: .bluetoothMicrophone)
      #expect(capture.step { capture.last?.sampleRate == 16_000 })
      #expect(capture.isGapless(after: 5))
      SimulatedPhone.disconnect(.bluetoothMicrophone)
      #expect(capture.step { capture.last?.sampleRate == 48_000 })
      #expect(capture.events == [.deviceChanged, .deviceChanged])
    }

    @Test func bluetoothHeadsetIsIgnoredByDefault() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedPhone.connect(input: .bluetoothMicrophone)
      capture.step(20)
      #expect(capture.source.device?.id == SimulatedPort.builtInMicrophone.id)
      #expect(capture.events.isEmpty)
      #expect(capture.isGapless)
    }

    @Test func anotherRateOfTheSameMicrophoneIsFollowed() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedPhone.setRates([44_100], of: .builtInMicrophone)
      #expect(capture.step { capture.last?.sampleRate == 44_100 })
      #expect(capture.isGapless(after: 5))
      #expect(capture.events.isEmpty)
    }

    @Test func onlyMicrophoneIsAwaited() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedPhone.removeInputs()
      #expect(capture.eventuallyReports(.deviceLost))
      SimulatedPhone.connect(input: .headsetMicrophone)
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(capture.isGapless(after: 5))
    }

    @Test func selectedMicrophoneIsAwaited() throws {
      SimulatedPhone.connect(input: .interface)
      let request = CaptureRequest(device: .pinned(id: SimulatedPort.interface.id))
      let capture = try SimulatedCapture(request, stepping: 5)
      SimulatedPhone.disconnect(.interface)
      #expect(capture.eventuallyReports(.deviceLost))
      SimulatedPhone.connect(input: .headsetMicrophone)
      capture.step(5)
      #expect(capture.events == [.deviceLost])
      SimulatedPhone.connect(input: .interface)
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(capture.last?.channelCount == 4)
    }

    @Test func withoutAMicrophoneNothingStarts() {
      SimulatedPhone.removeInputs()
      #expect(throws: DeviceError.noDevice(for: .capture, backend: .coreAudio)) {
        try SimulatedCapture()
      }
    }

    @Test func devicesAreThoseOfTheSession() throws {
      SimulatedPhone.connect(input: .headsetMicrophone)
      // A phone lists its inputs only after a category is set.
      #expect(try CoreAudioSystem.devices(for: .capture).map(\.id) == ["default"])
      let capture = try SimulatedCapture()
      #expect(
        try CoreAudioSystem.devices(for: .capture).map(\.name) == [
          "Headset Microphone", "Microphone",
        ])
      capture.stop()
    }
  }
}
#endif
