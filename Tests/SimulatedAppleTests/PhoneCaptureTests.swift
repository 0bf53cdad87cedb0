#if SIMULATED_IOS
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// Capture from a phone's microphones, in all formats.
  @Suite struct PhoneCapture {
    @Test func everySampleArrivesInOrder() throws {
      let capture = try SimulatedCapture(stepping: 200)
      #expect(capture.isGapless)
      #expect(capture.samples.count == 200 * 512)
      #expect(capture.events.isEmpty)
      #expect(capture.source.diagnostics.isEmpty)
      let first = try #require(capture.blocks.first)
      #expect(first.sampleRate == 48_000)
      #expect(first.channelCount == 1)
      #expect(capture.blocks.allSatisfy { $0.lostFrameCount == 0 && $0.isTimeReliable })
      #expect(capture.source.device?.name == "Microphone")
      #expect(capture.source.followsClock)
    }

    @Test func aStoppedCaptureCanStartAgainButNotTwice() throws {
      let capture = try SimulatedCapture(stepping: 2)
      for _ in 0..<2 {
        #expect(throws: DeviceError.self) { try capture.start() }
        capture.stop()
        try capture.start()
        capture.step(3)
        #expect(capture.isGapless(last: 3 * 512))
      }
    }

    @Test func skippedCyclesAreCountedToTheFrame() throws {
      let capture = try SimulatedCapture(stepping: 10)
      SimulatedUnits.skip()
      SimulatedUnits.skip()
      capture.step(10)
      #expect(capture.blocks.map(\.lostFrameCount).filter { $0 > 0 } == [1024])
      #expect(capture.isGapless)
    }

    @Test func failedRendersAreCountedToTheFrame() throws {
      let capture = try SimulatedCapture(stepping: 10)
      SimulatedPhone.changeUnits { $0.renderStatus = UnitStatus.cannotDoInCurrentContext }
      capture.step(3)
      SimulatedPhone.changeUnits { $0.renderStatus = 0 }
      capture.step(10)
      #expect(capture.blocks.map(\.lostFrameCount).filter { $0 > 0 } == [3 * 512])
      #expect(capture.events.isEmpty)
    }

    @Test func lockedScreenLengthensBlocks() throws {
      let capture = try SimulatedCapture(stepping: 10)
      SimulatedPhone.lock(true)
      capture.step(10)
      #expect(capture.last?.frameCount == 4096)
      SimulatedPhone.lock(false)
      #expect(capture.isGapless(after: 10))
      #expect(capture.samples.count == 20 * 512 + 10 * 4096)
    }

    @Test func buffersGrowForOversizedBlocks() throws {
      let capture = try SimulatedCapture(stepping: 5)
      let unit = try #require(SimulatedUnits.open.first)
      SimulatedPhone.changeUnits { $0.blockFrameCount = 8192 }
      // A new unit with a larger maximum block size replaces the first one.
      #expect(capture.step { capture.last?.frameCount == 8192 })
      #expect(!unit.isRunning)
      #expect(capture.events.isEmpty)
      // Blocks before the replacement are lost, so only the blocks after it are gapless.
      capture.step(3)
      #expect(capture.isGapless(last: 3 * 8192))
    }

    @Test func requestedRateAndBlockDurationAreApplied() throws {
      let request = CaptureRequest(sampleRate: 44_100, blockDuration: .milliseconds(40))
      let capture = try SimulatedCapture(request, stepping: 20)
      #expect(capture.last?.sampleRate == 44_100)
      #expect(capture.last?.frameCount == 2048)
      #expect(capture.isGapless)
    }

    @Test func onlyExplicitOrStandardRateIsSetOnHardware() throws {
      var speech = SimulatedPort.builtInMicrophone
      speech.sampleRates.append(16_000)
      SimulatedPhone.disconnect(.builtInMicrophone)
      SimulatedPhone.connect(input: speech)
      let capture = try SimulatedCapture(CaptureRequest(sampleRate: 16_000), stepping: 5)
      #expect(capture.last?.sampleRate == 48_000)
      #expect(!SimulatedPhone.calls.contains { $0.hasPrefix("setPreferredSampleRate") })
      capture.stop()
      let chosen = try SimulatedCapture(sharing: .init(sampleRate: 16_000), stepping: 5)
      #expect(chosen.last?.sampleRate == 16_000)
    }

    @Test func unsupportedRateAddsDiagnostic() throws {
      let capture = try SimulatedCapture(CaptureRequest(sampleRate: 22_050), stepping: 5)
      #expect(capture.last?.sampleRate == 48_000)
      #expect(capture.source.diagnostics == ["The device runs at 48000 Hz, not at 22050 Hz."])
    }

    @Test func voiceProcessingPlaysSilenceAlongside() throws {
      let capture = try SimulatedCapture(CaptureRequest(isVoiceProcessed: true), stepping: 20)
      #expect(capture.isGapless)
      #expect(capture.last?.channelCount == 1)
      let played = SimulatedSound.played(on: SimulatedPort.speaker.id)
      #expect(played.count == 20 * 512)
      #expect(played.allSatisfy { $0 == 0 })
    }

    /// The unit reports the hardware's format only after initialization; the session reports its
    /// rate.
    @Test func voiceProcessingRunsAtTheRateOfTheSession() throws {
      let request = CaptureRequest(sampleRate: 44_100, isVoiceProcessed: true)
      let capture = try SimulatedCapture(request, stepping: 5)
      #expect(capture.last?.sampleRate == 44_100)
      #expect(capture.isGapless)
    }

    @Test(arguments: CoreAudioSessionOptions.OtherAudioPolicy.allCases)
    func voiceProcessingDucksOtherSoundOnlyWhereThatIsWanted(
      otherAudio: CoreAudioSessionOptions.OtherAudioPolicy
    ) throws {
      let capture = try SimulatedCapture(
        CaptureRequest(isVoiceProcessed: true),
        sharing: .init(otherAudio: otherAudio))
      // 2108 is the ducking of other audio; 10 is its minimum.
      let isUnducked =
        !SimulatedSystem.isOldest && (otherAudio == .mix || otherAudio == .pauseSpeech)
      #expect(SimulatedUnits.open.map(\.voiceSettings) == [isUnducked ? [2108: 10] : [:]])
      capture.stop()
    }

    @Test func voiceProcessingUsesRequestedSettings() throws {
      var choice = CoreAudioSessionOptions()
      choice.voiceProcessing = CoreAudioVoiceProcessing(
        ducking: .maximum, adjustsGain: false, isBypassed: true)
      let capture = try SimulatedCapture(CaptureRequest(isVoiceProcessed: true), sharing: choice)
      var expected: [UInt32: UInt32] = [2100: 1, 2101: 0]
      if !SimulatedSystem.isOldest { expected[2108] = 30 }
      #expect(SimulatedUnits.open.map(\.voiceSettings) == [expected])
      #expect(capture.source.diagnostics.isEmpty)
    }

    @Test func routeWatchReportsTheReason() {
      let reasons = Guarded<[CoreAudioRouteReason]>([])
      let watch = CoreAudioSystem.watchRoute { reason in reasons.change { $0.append(reason) } }
      SimulatedPhone.connect(input: .interface)
      SimulatedPhone.disconnect(.interface)
      #expect(reasons.change { $0 } == [.newDevice, .oldDeviceGone])
      #expect(watch != nil)
    }

    @Test func withoutAUnitForItVoiceProcessingIsRefused() {
      SimulatedPhone.changeUnits { $0.hasVoiceProcessing = false }
      #expect(
        throws: DeviceError.noVoiceProcessing(reason: "the system has no voice processing unit")
      ) {
        try SimulatedCapture(CaptureRequest(isVoiceProcessed: true))
      }
    }
  }
}
#endif
