#if SIMULATED_MACOS
import CoreAudio
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices
@testable import AacornRecording

extension OnSimulatedApple {
  /// Captures on a Mac.
  ///
  /// Its devices are connected, disconnected and changed, and other programs use them.
  @Suite struct MacCapture {
    @Test func everySampleArrivesInOrder() throws {
      let capture = try SimulatedCapture(stepping: 200)
      #expect(capture.isGapless)
      // The requested 10 ms.
      #expect(capture.samples.count == 200 * 480)
      #expect(capture.events.isEmpty)
      #expect(capture.source.device?.name == "MacBook Microphone")
      // A Mac has no audio session.
      #expect(SimulatedPhone.calls.isEmpty)
    }

    /// A recording holds its tracks together by the times of their blocks.
    @Test func timesOfBlocksFollowTheClockOfTheDevice() throws {
      for drift in [400.0, -400] {
        var device = SimulatedDevice(
          id: "drift \(drift)", name: "Drifting", inputChannelCount: 1, sampleRate: 16_000)
        device.pace = 1 + drift * 1e-6
        SimulatedMac.connect(device)
        let capture = try SimulatedCapture(
          CaptureRequest(device: .pinned(id: device.id)), stepping: 6_000)
        #expect(capture.blocks.allSatisfy { $0.isTimeReliable })
        let first = try #require(capture.blocks.first)
        var clock = DeviceClock(sampleRate: first.sampleRate, time: first.time)
        for block in capture.blocks { clock.advance(by: block.frameCount, at: block.time) }
        let found = try #require(clock.driftPartsPerMillion)
        #expect(abs(found - drift) < 10)
        capture.stop()
      }
    }

    @Test func devicesAreThoseThatCaptureAndAreShown() throws {
      SimulatedMac.connect(.interface)
      var hidden = SimulatedDevice(id: "hidden", name: "Hidden", inputChannelCount: 1)
      hidden.isHidden = true
      SimulatedMac.connect(hidden)
      let devices = try CoreAudioSystem.devices(for: .capture)
      #expect(devices.map(\.name) == ["MacBook Microphone", "Interface"])
      #expect(devices.map(\.isDefault) == [true, false])
      #expect(devices.map(\.sampleRate) == [48_000, 44_100])
      #expect(devices.map(\.channelCount) == [1, 2])
      let outputs = try CoreAudioSystem.devices(for: .playback)
      #expect(outputs.map(\.name) == ["MacBook Speakers", "Interface"])
    }

    @Test func macDeviceWatchReportsChanges() throws {
      let count = Guarded(0)
      var watch = CoreAudioSystem.watchDevices { count.change { $0 += 1 } }
      SimulatedMac.connect(.interface)
      #expect(count.change { $0 } == 1)
      SimulatedMac.makeDefault(.interface)
      #expect(count.change { $0 } == 2)
      #expect(watch != nil)
      watch = nil
      SimulatedMac.disconnect(.interface)
      #expect(count.change { $0 } == 2)
    }

    @Test func appListenersStayOnItsRunLoop() throws {
      let capture = try SimulatedCapture()
      #expect(!SimulatedMac.isDetached)
      capture.stop()
    }

    @Test func aProgramWithoutARunLoopAsksForChanges() throws {
      SimulatedMac.begin(runsMainLoop: false)
      let reasons = Guarded<[CoreAudioRouteReason]>([])
      let watch = CoreAudioSystem.watchRoute { reason in reasons.change { $0.append(reason) } }
      SimulatedMac.connect(.interface)
      #expect(reasons.change { $0.isEmpty })
      CoreAudioSystem.receiveChangesWithoutRunLoop()
      SimulatedMac.makeDefault(.interface)
      SimulatedMac.disconnect(.interface)
      #expect(reasons.change { $0 } == [.override, .newDevice, .override])
      #expect(watch != nil)
    }

    @Test func voiceProcessingTakesAnotherMicrophoneBesideTheLoudspeakers() throws {
      SimulatedMac.connect(.interface)
      let request = CaptureRequest(
        device: .pinned(id: SimulatedDevice.interface.id), isVoiceProcessed: true)
      let capture = try SimulatedCapture(request, stepping: 5)
      #expect(capture.last?.sampleRate == 44_100)
      #expect(capture.isGapless)
      let played = SimulatedSound.played(on: SimulatedDevice.loudspeakers.id)
      #expect(!played.isEmpty && played.allSatisfy { $0 == 0 })
      #expect(
        SimulatedUnits.open.map(\.voiceSettings) == [SimulatedSystem.isOldest ? [:] : [2108: 10]])
    }

    @Test func newDefaultDeviceIsUsed() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedMac.connect(.interface)
      SimulatedMac.makeDefault(.interface)
      #expect(capture.step { capture.events == [.deviceChanged] })
      capture.step(5)
      #expect(capture.last?.sampleRate == 44_100)
      #expect(capture.last?.channelCount == 2)
      #expect(capture.isGapless)
      SimulatedMac.makeDefault(.microphone)
      #expect(capture.step { capture.events == [.deviceChanged, .deviceChanged] })
      #expect(capture.last?.sampleRate == 48_000)
    }

    @Test func captureMovesToNewDefaultAfterDisconnection() throws {
      SimulatedMac.connect(.interface)
      SimulatedMac.makeDefault(.interface)
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedMac.disconnect(.interface)
      #expect(capture.step { capture.last?.sampleRate == 48_000 })
      #expect(capture.isGapless(after: 5))
      #expect(capture.source.device?.id == SimulatedDevice.microphone.id)
    }

    @Test func selectedDeviceIsAwaited() throws {
      SimulatedMac.connect(.interface)
      let request = CaptureRequest(device: .pinned(id: SimulatedDevice.interface.id))
      let capture = try SimulatedCapture(request, stepping: 5)
      SimulatedMac.disconnect(.interface)
      #expect(capture.eventuallyReports(.deviceLost))
      #expect(SimulatedUnits.open.isEmpty)
      SimulatedMac.connect(.interface)
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(capture.isGapless(after: 5))
    }

    @Test func onlyMicrophoneIsAwaited() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedMac.disconnect(.microphone)
      #expect(capture.eventuallyReports(.deviceLost))
      SimulatedMac.connect(.interface)
      SimulatedMac.makeDefault(.interface)
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
    }

    @Test func anotherRateIsFollowed() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedMac.setRate(96_000, of: SimulatedDevice.microphone.id)
      #expect(capture.step { capture.last?.sampleRate == 96_000 })
      #expect(capture.isGapless(after: 5))
      #expect(capture.events.isEmpty)
    }

    @Test func otherChannelsAreFollowed() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedMac.setInputChannels(3, of: SimulatedDevice.microphone.id)
      #expect(capture.step { capture.last?.channelCount == 3 })
      #expect(capture.isGapless(after: 5))
    }

    @Test func aDeviceThatAnotherProgramHasIsBusy() throws {
      SimulatedMac.hog(SimulatedDevice.microphone.id, true)
      #expect(throws: DeviceError.deviceBusy(id: SimulatedDevice.microphone.id)) {
        try SimulatedCapture()
      }
      expectOrder()
      SimulatedMac.hog(SimulatedDevice.microphone.id, false)
      let capture = try SimulatedCapture(stepping: 1)
      #expect(capture.isGapless)
    }

    @Test func macServiceRestartRebuildsCapture() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedMac.restartService()
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(capture.isGapless(after: 5))
      // Check that the new unit observes the new device object.
      SimulatedMac.setRate(44_100, of: SimulatedDevice.microphone.id)
      #expect(capture.step { capture.last?.sampleRate == 44_100 })
    }

    @Test func voiceProcessingFollowsTheLoudspeakers() throws {
      let capture = try SimulatedCapture(CaptureRequest(isVoiceProcessed: true), stepping: 5)
      let display = SimulatedDevice(id: "Display", name: "Display", outputChannelCount: 2)
      SimulatedMac.connect(display)
      SimulatedMac.makeDefault(display)
      #expect(capture.step { !SimulatedSound.played(on: display.id).isEmpty })
      capture.step(5)
      // No unit captures during its replacement, so only the last blocks are gapless.
      let block = try #require(capture.last)
      #expect(capture.isGapless(last: 5 * block.frameCount))
      #expect(capture.events.isEmpty)
    }

    @Test func devicesOfVoiceProcessingAreHidden() throws {
      let capture = try SimulatedCapture(CaptureRequest(isVoiceProcessed: true), stepping: 1)
      // The helper device and the loopback input of the loudspeakers exist.
      #expect(SimulatedMac.device(id: SimulatedDevice.loudspeakers.id)?.inputChannelCount == 2)
      #expect(try CoreAudioSystem.devices(for: .capture).map(\.name) == ["MacBook Microphone"])
      #expect(try CoreAudioSystem.devices(for: .playback).map(\.name) == ["MacBook Speakers"])
      capture.stop()
      #expect(SimulatedMac.device(id: SimulatedDevice.loudspeakers.id)?.inputChannelCount == 0)
    }

    @Test func voiceProcessingDoesNotChangeTheRoute() throws {
      let request = CaptureRequest(isVoiceProcessed: true)
      let before = try CoreAudioMachine(request: request).route()
      let capture = try SimulatedCapture(request, stepping: 1)
      #expect(SimulatedMac.device(id: SimulatedDevice.microphone.id)?.inputChannelCount == 3)
      let during = try CoreAudioMachine(request: request).route()
      #expect(before.reaction(to: during, .configuration) == .keep)
      capture.stop()
    }

    @Test func aDeviceThatKnowsNoKindsIsAMicrophone() throws {
      var device = SimulatedDevice.interface
      device.inputKind = kAudioStreamTerminalTypeUnknown
      SimulatedMac.connect(device)
      #expect(
        try CoreAudioSystem.devices(for: .capture).map(\.name) == [
          "MacBook Microphone", "Interface",
        ])
    }

    @Test(arguments: [0x200, 0x301, kAudioStreamTerminalTypeSpeaker] as [UInt32])
    func loopbackInputsAreHiddenFromDeviceList(kind: UInt32) throws {
      var device = SimulatedDevice.interface
      device.inputKind = kind
      SimulatedMac.connect(device)
      #expect(try CoreAudioSystem.devices(for: .capture).map(\.name) == ["MacBook Microphone"])
      #expect(
        try CoreAudioSystem.devices(for: .playback).map(\.name)
          == ["MacBook Speakers", "Interface"])
    }

    @Test func deniedPermissionThrowsOnMac() {
      SimulatedPhone.answer(false)
      #expect(throws: DeviceError.permissionDenied(id: "microphone")) { try SimulatedCapture() }
    }

    @Test func withoutAMicrophoneNothingStarts() {
      SimulatedMac.disconnect(.microphone)
      #expect(throws: DeviceError.noDevice(for: .capture, backend: .coreAudio)) {
        try SimulatedCapture()
      }
    }
  }
}
#endif
