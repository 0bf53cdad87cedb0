#if SIMULATED_IOS
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// The use of the audio session that all parts of an app share.
  @Suite struct PhoneSession {
    @Test func sessionIsRestoredUnchanged() throws {
      let capture = try SimulatedCapture(stepping: 1)
      let session = SimulatedPhone.session
      #expect(session.category == "AVAudioSessionCategoryPlayAndRecord" && session.isActive)
      #expect(session.mixes && session.avoidsAlerts)
      capture.stop()
      #expect(SimulatedPhone.session == SimulatedSession())
    }

    @Test(arguments: [false, true]) func preferencesAreRestoredAfterCapture(appPrefers: Bool) throws
    {
      SimulatedPhone.connect(input: .interface)
      if appPrefers {
        try AppSession.setUp()
        try SimulatedPhone.setPreferredSampleRate(44_100)
        try SimulatedPhone.setPreferredBlockDuration(0.005)
        try SimulatedPhone.setPreferredInput(SimulatedPort.interface.id)
      }
      let before = SimulatedPhone.session
      let capture = try SimulatedCapture(
        sharing: .init(input: .builtInMicrophone, sampleRate: 48_000))
      capture.step()
      #expect(SimulatedPhone.session.preferredInputID == SimulatedPort.builtInMicrophone.id)
      #expect(SimulatedPhone.session.preferredSampleRate == 48_000)
      capture.stop()
      #expect(SimulatedPhone.session == before)
    }

    @Test func preferenceSetByAppDuringCaptureIsKept() throws {
      let capture = try SimulatedCapture(sharing: .init(sampleRate: 48_000), stepping: 1)
      try SimulatedPhone.setPreferredSampleRate(44_100)
      capture.stop()
      #expect(SimulatedPhone.session.preferredSampleRate == 44_100)
      #expect(SimulatedPhone.session.preferredBlockDuration == 0)
    }

    @Test func everyPreferenceIsRestored() throws {
      SimulatedPhone.connect(input: .headsetMicrophone)
      let before = SimulatedPhone.session
      var choice = CoreAudioSessionOptions()
      choice.allowsHaptics = true
      choice.inputGain = 0.75
      choice.microphone = .stereo(.landscapeLeft, from: .front)
      let capture = try SimulatedCapture(sharing: choice, stepping: 5)
      // Even with a headset connected, stereo input comes from the built-in microphone.
      #expect(capture.source.device?.id == SimulatedPort.builtInMicrophone.id)
      #expect(capture.last?.channelCount == 2)
      #expect(capture.isGapless)
      #expect(capture.source.diagnostics.isEmpty)
      let names = ["setPreferredInput", "setPreferredPolarPattern", "setPreferredDataSource"]
      let calls = SimulatedPhone.calls.map { String($0.prefix { $0 != " " }) }
      // The order that Apple documents.
      #expect(calls.filter { names.contains($0) } == names)
      let session = SimulatedPhone.session
      #expect(session.avoidsAlerts && session.allowsHaptics && session.inputGain == 0.75)
      capture.stop()
      #expect(SimulatedPhone.session == before)
    }

    @Test func microphoneChangedByAppIsKept() throws {
      let capture = try SimulatedCapture(
        sharing: .init(microphone: .stereo(.portrait, from: .back)))
      capture.step()
      let port = SimulatedPort.builtInMicrophone
      try SimulatedPhone.setPreferredSource("Front", of: port.id)
      capture.stop()
      #expect(SimulatedPhone.session.preferredSource == [port.id: "Front"])
    }

    @Test func inputWithoutGainAddsDiagnostic() throws {
      SimulatedPhone.connect(input: .headsetMicrophone)
      var choice = CoreAudioSessionOptions()
      choice.inputGain = 0.75
      let capture = try SimulatedCapture(sharing: choice, stepping: 1)
      #expect(capture.source.diagnostics == ["The input has no gain that can be set."])
    }

    @Test(arguments: [false, true]) func aDeclinedCallInterruptsOnlyIfAskedFor(
      isInterrupted: Bool
    ) throws {
      var choice = CoreAudioSessionOptions()
      choice.isInterruptedByAlerts = isInterrupted
      let capture = try SimulatedCapture(sharing: choice, stepping: 5)
      SimulatedPhone.ringAndDecline()
      if isInterrupted { #expect(capture.step { capture.events == [.suspended, .resumed] }) }
      #expect(capture.isGapless(after: 5))
      #expect(capture.events.isEmpty != isInterrupted)
    }

    @Test func aClosedCoverInterruptsUnlessMutedCaptureIsWanted() throws {
      var choice = CoreAudioSessionOptions()
      choice.capturesWhileMuted = true
      let capture = try SimulatedCapture(sharing: choice)
      SimulatedPhone.closeCover()
      capture.step(5)
      #expect(capture.events.isEmpty && capture.isGapless)
      capture.stop()
      let other = try SimulatedCapture(stepping: 1)
      SimulatedPhone.closeCover()
      #expect(other.eventuallyReports(.suspended))
    }

    @Test func aManualSessionIsNeverTouched() throws {
      try AppSession.setUp()
      let before = SimulatedPhone.session
      let calls = SimulatedPhone.calls
      let capture = try SimulatedCapture(sharing: .manual, stepping: 10)
      #expect(capture.isGapless)
      SimulatedPhone.connect(input: .headsetMicrophone)
      #expect(capture.step { capture.source.device?.id == SimulatedPort.headsetMicrophone.id })
      capture.stop()
      #expect(SimulatedPhone.calls == calls)
      #expect(SimulatedPhone.session == before)
    }

    @Test func aManualSessionIsTheAppsToActivateAfterACall() throws {
      try AppSession.setUp()
      let capture = try SimulatedCapture(sharing: .manual, stepping: 1)
      SimulatedPhone.call()
      #expect(capture.eventuallyReports(.suspended))
      SimulatedPhone.hangUp(shouldResume: false)
      let calls = SimulatedPhone.calls
      try SimulatedPhone.setActive(true, options: 0)
      capture.source.resume()
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      capture.stop()
      #expect(SimulatedPhone.calls == calls + ["setActive true"])
    }

    @Test func sessionWithAppCategoryStaysActive() throws {
      try SimulatedPhone.setCategory(
        "AVAudioSessionCategoryPlayback", mode: "AVAudioSessionModeDefault", options: 0)
      try SimulatedPhone.setActive(true, options: 0)
      let capture = try SimulatedCapture(stepping: 1)
      capture.stop()
      #expect(SimulatedPhone.session.isActive)
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryPlayback")
      #expect(!SimulatedPhone.calls.contains { $0.hasPrefix("setActive false") })
    }

    @Test func lastCaptureDeactivatesSession() throws {
      let first = try SimulatedCapture()
      let second = try SimulatedCapture()
      first.step()
      second.take()
      first.source.stop()
      #expect(SimulatedPhone.session.isActive)
      #expect(second.isGapless(after: 10))
      second.stop()
      #expect(SimulatedPhone.session == SimulatedSession())
    }

    @Test func sessionActivationKeepsSessionActive() throws {
      var hold: CoreAudioSessionActivation? = CoreAudioSessionActivation()
      let capture = try SimulatedCapture(stepping: 1)
      capture.stop()
      #expect(hold != nil && SimulatedPhone.session.isActive)
      hold = nil
      #expect(SimulatedPhone.session == SimulatedSession())
    }

    @Test func aSessionThatMayStayActiveStaysSo() throws {
      let capture = try SimulatedCapture(sharing: .init(deactivates: false), stepping: 1)
      capture.stop()
      #expect(SimulatedPhone.session.isActive)
    }

    @Test(arguments: CoreAudioSessionOptions.OtherAudioPolicy.allCases)
    func otherAudioContinuesAfterCapture(
      otherAudio: CoreAudioSessionOptions.OtherAudioPolicy
    ) throws {
      SimulatedPhone.playMusic()
      let capture = try SimulatedCapture(sharing: .init(otherAudio: otherAudio), stepping: 1)
      #expect(SimulatedPhone.music == (otherAudio == .pause ? .paused : .playing))
      capture.stop()
      #expect(SimulatedPhone.music == .playing)
    }

    @Test(arguments: [SimulatedPort.bluetoothHeadphones, .airPlay])
    func captureKeepsMusicAndItsOutput(port: SimulatedPort) throws {
      SimulatedPhone.connect(output: port)
      SimulatedPhone.playMusic()
      let capture = try SimulatedCapture(stepping: 1)
      #expect(SimulatedPhone.music == .playing)
      #expect(SimulatedPhone.output == port)
      #expect(capture.source.device?.id == SimulatedPort.builtInMicrophone.id)
      capture.stop()
      let other = try SimulatedCapture(sharing: .init(playsOnBluetooth: false), stepping: 1)
      #expect(SimulatedPhone.output == .speaker)
      other.stop()
    }

    /// The system rejects options and modes that do not fit a category.
    @Test(
      arguments: CoreAudioSessionOptions.Category.allCases,
      CoreAudioSessionOptions.Bluetooth.allCases)
    func systemAcceptsEveryOption(
      category: CoreAudioSessionOptions.Category, bluetooth: CoreAudioSessionOptions.Bluetooth
    ) throws {
      let choices =
        CoreAudioSessionOptions.OtherAudioPolicy.allCases.map { otherAudio in
          CoreAudioSessionOptions(category: category, otherAudio: otherAudio)
        }
        + CoreAudioSessionOptions.Mode.allCases.map { mode in
          CoreAudioSessionOptions(category: category, mode: mode)
        }
      for var choice in choices {
        for isVoiceProcessed in [false, true] {
          choice.bluetooth = bluetooth
          choice.playsOnBluetooth = true
          let request = CaptureRequest(isVoiceProcessed: isVoiceProcessed)
          let capture = try SimulatedCapture(request, sharing: choice, stepping: 1)
          #expect(capture.isGapless)
          capture.stop()
        }
      }
    }

    @Test(arguments: [CoreAudioSessionOptions.Mode.voiceChat, .videoChat])
    func withAModeForCallsACaptureIsReadyToPlay(mode: CoreAudioSessionOptions.Mode) throws {
      let choice = CoreAudioSessionOptions(category: .record, mode: mode)
      let capture = try SimulatedCapture(sharing: choice, stepping: 1)
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryPlayAndRecord")
      #expect(capture.source.diagnostics.contains { $0.hasPrefix("Modes for calls also play.") })
      capture.stop()
      // Other modes fit a category that only captures.
      let video = CoreAudioSessionOptions(category: .record, mode: .videoRecording)
      let other = try SimulatedCapture(sharing: video, stepping: 1)
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryRecord")
      #expect(other.source.diagnostics.isEmpty)
    }
  }
}

/// An app that sets its session up itself.
enum AppSession {
  static func setUp() throws {
    try SimulatedPhone.setCategory(
      "AVAudioSessionCategoryPlayAndRecord", mode: "AVAudioSessionModeMeasurement", options: 0)
    try SimulatedPhone.setActive(true, options: 0)
  }
}
#endif
