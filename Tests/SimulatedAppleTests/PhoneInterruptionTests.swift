#if SIMULATED_IOS
import AacornSystem
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// Calls and other interruptions of recordings.
  @Suite struct PhoneInterruption {
    /// Starts a capture that a call interrupts.
    private func captureDuringCall(
      sharing choice: CoreAudioSessionOptions = .init()
    ) throws -> SimulatedCapture {
      let capture = try SimulatedCapture(sharing: choice, stepping: 5)
      SimulatedPhone.call()
      #expect(capture.eventuallyReports(.suspended))
      return capture
    }

    /// Waits until a capture reports that the system does not suggest resuming.
    private func eventuallyWaitsForUser(_ capture: SimulatedCapture) -> Bool {
      eventually { capture.source.diagnostics.contains { $0.contains("Resume") } }
    }

    private func activationCount() -> Int {
      SimulatedPhone.calls.count { $0 == "setActive true" }
    }

    @Test func captureCannotStartDuringCall() {
      SimulatedPhone.call()
      let error = #expect(throws: DeviceError.self) { try SimulatedCapture() }
      #expect(error == .cannotInterrupt(canMix: false))
      #expect(
        error?.message == "Another app, such as a call, uses the audio, and this app may not"
          + " interrupt it now. Try again when that ends.")
      expectOrder()
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategorySoloAmbient")
      #expect(!SimulatedPhone.calls.contains { $0.hasPrefix("setActive false") })
    }

    @Test func captureResumesAfterCall() throws {
      let capture = try captureDuringCall()
      let count = activationCount()
      SimulatedPhone.hangUp()
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      #expect(capture.isGapless(after: 10))
      #expect(activationCount() == count + 1)
    }

    @Test func missingResumeSuggestionWaitsForUser() throws {
      let capture = try captureDuringCall()
      SimulatedPhone.hangUp(shouldResume: false)
      #expect(eventuallyWaitsForUser(capture))
      // A change of the route resumes nothing. The diagnostic of a second end shows that the capture
      // has handled it.
      let status = try #require((capture.source as? CoreAudioSource)?.thread.status)
      status.diagnostics = []
      SimulatedPhone.connect(output: .headphones)
      SimulatedPhone.endInterruption(shouldResume: false)
      #expect(eventuallyWaitsForUser(capture))
      #expect(activationCount() == 1)
      #expect(SimulatedUnits.open.isEmpty)
      capture.source.resume()
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      #expect(activationCount() == 2)
    }

    @Test func aHeadsetThatIsConnectedDuringACallIsUsedAfterIt() throws {
      let capture = try captureDuringCall()
      SimulatedPhone.connect(input: .headsetMicrophone)
      SimulatedPhone.hangUp()
      #expect(capture.step { capture.events == [.suspended, .resumed, .deviceChanged] })
      #expect(capture.source.device?.id == SimulatedPort.headsetMicrophone.id)
    }

    /// A call on a tablet with a closed cover, in either order; 0 is the call, and 2 the cover.
    @Test(arguments: [[0, 2], [2, 0]] as [[UInt]])
    func aCallWithAClosedCoverNeedsTheSuggestion(reasons: [UInt]) throws {
      let capture = try SimulatedCapture(stepping: 5)
      for reason in reasons {
        SimulatedNotifications.post(
          "AVAudioSessionInterruptionNotification",
          [
            "AVAudioSessionInterruptionTypeKey": UInt(1),
            "AVAudioSessionInterruptionReasonKey": reason,
          ])
      }
      #expect(capture.eventuallyReports(.suspended))
      SimulatedPhone.endInterruption(shouldResume: false)
      #expect(eventuallyWaitsForUser(capture))
      #expect(activationCount() == 1)
      SimulatedPhone.endInterruption(shouldResume: true)
      #expect(capture.step { capture.events == [.suspended, .resumed] })
    }

    @Test func reactivationDuringCallIsRetried() throws {
      let capture = try captureDuringCall()
      capture.source.resume()
      #expect(eventually { activationCount() >= 2 })
      #expect(capture.events == [.suspended])
      SimulatedPhone.hangUp(notifying: false)
      #expect(capture.step { capture.events == [.suspended, .resumed] })
    }

    @Test func activatingAppEndsFinishedInterruption() throws {
      let capture = try captureDuringCall()
      // During the call, the activation fails. It is not retried, because each attempt may be
      // audible.
      SimulatedPhone.setInBackground(false)
      #expect(eventually { activationCount() == 2 })
      SimulatedPhone.hangUp(notifying: false)
      SimulatedPhone.setInBackground(false)
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      #expect(activationCount() == 3)
    }

    @Test func anInterruptionThatDoesNotEndFails() throws {
      let capture = try SimulatedCapture(
        sharing: .init(maxInterruptionDuration: .milliseconds(50)), stepping: 5)
      SimulatedPhone.call()
      #expect(capture.eventuallyReports(.failed))
      #expect(capture.events == [.suspended, .failed])
      #expect(capture.source.failure?.message.contains("interrupted for") == true)
    }

    @Test func anInterruptionThatEndsWithoutNotificationIsResumedAtItsLimit() throws {
      let capture = try SimulatedCapture(
        sharing: .init(maxInterruptionDuration: .milliseconds(50)), stepping: 5)
      let start = System.nanoseconds
      // A call that has ended before the limit begins.
      SimulatedPhone.interrupt(reason: 0)
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      #expect(System.nanoseconds - start >= 50_000_000)
      #expect(capture.source.failure == nil)
    }

    @Test func suspendedAppResumesImmediately() throws {
      let capture = try SimulatedCapture(stepping: 5)
      // 1: the app was suspended. The notification arrives when it resumes; there is no end
      // notification.
      SimulatedPhone.interrupt(reason: 1)
      #expect(capture.step { capture.events == [.suspended, .resumed] })
    }

    @Test(arguments: [2, 3] as [UInt]) func openedCoverResumesWithoutSuggestion(reason: UInt) throws
    {
      let capture = try SimulatedCapture(stepping: 5)
      // 2: the cover was closed over the microphones; 3: the app's scene was closed. Neither is a
      // call.
      SimulatedPhone.interrupt(reason: reason)
      #expect(capture.eventuallyReports(.suspended))
      SimulatedPhone.endInterruption(shouldResume: false)
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      // After those interruptions, a capture resumes without the system's suggestion, but not after
      // a call.
      SimulatedPhone.call()
      #expect(capture.eventuallyReports(.suspended, times: 2))
      SimulatedPhone.hangUp(shouldResume: false)
      #expect(eventuallyWaitsForUser(capture))
    }

    @Test func aStopDuringACallLeavesOthersAlone() throws {
      let capture = try captureDuringCall()
      capture.stop()
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategorySoloAmbient")
    }

    // MARK: Other apps' music

    @Test func musicResumesAfterCallWithMixingCapture() throws {
      SimulatedPhone.playMusic()
      let capture = try SimulatedCapture(stepping: 5)
      #expect(SimulatedPhone.music == .playing)
      SimulatedPhone.call()
      #expect(capture.eventuallyReports(.suspended))
      #expect(SimulatedPhone.music == .interrupted)
      SimulatedPhone.hangUp()
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      #expect(SimulatedPhone.music == .playing)
      #expect(capture.isGapless(after: 5))
      capture.stop()
      #expect(SimulatedPhone.music == .playing)
    }

    @Test func afterACallMusicStaysSilentUntilACaptureThatPausesItEnds() throws {
      SimulatedPhone.playMusic()
      let capture = try captureDuringCall(sharing: .init(otherAudio: .pause))
      SimulatedPhone.hangUp()
      #expect(capture.step { capture.events == [.suspended, .resumed] })
      #expect(SimulatedPhone.music == .paused)
      capture.stop()
      #expect(SimulatedPhone.music == .playing)
    }

    @Test func backgroundCaptureDoesNotInterruptMusic() throws {
      SimulatedPhone.playMusic()
      SimulatedPhone.setInBackground(true)
      let error = #expect(throws: DeviceError.self) {
        try SimulatedCapture(sharing: .init(otherAudio: .pause))
      }
      #expect(error == .cannotInterrupt(canMix: true))
      #expect(
        error?.message == "Another app, such as a call, uses the audio, and this app may not"
          + " interrupt it now. Try again when that ends or this app is in the foreground, or mix both"
          + " with CoreAudioSessionOptions(otherAudio: .mix).")
      // The attempt to activate the session has failed.
      #expect(SimulatedPhone.calls.contains("setActive true"))
      #expect(SimulatedPhone.music == .playing)
      #expect(!SimulatedPhone.session.isActive)
      expectOrder()
      // In the foreground, the app may interrupt music.
      SimulatedPhone.setInBackground(false)
      let capture = try SimulatedCapture(sharing: .init(otherAudio: .pause), stepping: 1)
      #expect(SimulatedPhone.music == .paused)
      capture.stop()
      #expect(SimulatedPhone.music == .playing)
    }

    // MARK: The app

    @Test func sessionDeactivatedByAppIsReactivated() throws {
      let capture = try SimulatedCapture(stepping: 5)
      // The system stops the units. Only the call itself reports that, by an error.
      #expect(throws: SimulatedError.self) { try SimulatedPhone.setActive(false, options: 0) }
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(SimulatedPhone.session.isActive)
      #expect(capture.isGapless(after: 5))
    }

    @Test func aCategoryThatTheAppChangesIsSetAgain() throws {
      let capture = try SimulatedCapture(stepping: 5)
      try SimulatedPhone.setCategory(
        "AVAudioSessionCategoryPlayback", mode: "AVAudioSessionModeDefault", options: 0)
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryPlayAndRecord")
      #expect(capture.isGapless(after: 5))
    }

    // MARK: The user

    @Test func deniedPermissionThrowsWithoutSessionCalls() {
      SimulatedPhone.answer(false)
      #expect(throws: DeviceError.permissionDenied(id: "microphone")) { try SimulatedCapture() }
      #expect(SimulatedPhone.calls.isEmpty)
    }

    @Test(arguments: [true, false]) func theStartWaitsForTheAnswer(isGranted: Bool) throws {
      SimulatedPhone.discardAnswer()
      let answers = System.startThread("test") {
        _ = eventually { SimulatedPhone.isAsking }
        SimulatedPhone.answer(isGranted)
      }
      #expect(answers)
      if isGranted {
        let capture = try SimulatedCapture(stepping: 5)
        #expect(capture.isGapless)
        capture.stop()
      } else {
        #expect(throws: DeviceError.permissionDenied(id: "microphone")) { try SimulatedCapture() }
        expectOrder()
      }
    }

    @Test func aStopEndsTheWaitForTheAnswer() throws {
      SimulatedPhone.discardAnswer()
      let source = try CoreAudioSystem.makeSource(CaptureRequest(), sharing: .init())
      let stops = System.startThread("test") {
        _ = eventually { SimulatedPhone.isAsking }
        source.stop()
      }
      #expect(stops)
      #expect(throws: DeviceError.self) { try source.start(CaptureSink()) }
    }

    @Test func aWithdrawnPermissionIsAFailure() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedPhone.answer(false)
      SimulatedPhone.removeInputs()
      #expect(capture.eventuallyReports(.failed))
      #expect(capture.events == [.deviceLost, .failed])
      #expect(capture.source.failure == .permissionDenied(id: "microphone"))
    }

    @Test func captureCannotStartInBackground() {
      SimulatedPhone.setInBackground(true)
      #expect(throws: DeviceError.self) { try SimulatedCapture() }
    }

    // MARK: The service

    @Test func phoneServiceResetRebuildsCapture() throws {
      let capture = try SimulatedCapture(stepping: 5)
      SimulatedPhone.loseMediaServices()
      #expect(capture.eventuallyReports(.deviceLost))
      SimulatedPhone.resetMediaServices()
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(capture.isGapless(after: 10))
      // The reset has discarded the setup of the session.
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryPlayAndRecord")
      #expect(SimulatedPhone.session.isActive)
      capture.stop()
      #expect(!SimulatedPhone.session.isActive)
    }

    @Test func aResetDuringACallIsRecoveredFromAfterIt() throws {
      let capture = try captureDuringCall()
      SimulatedPhone.resetMediaServices()
      SimulatedPhone.hangUp(notifying: false)
      #expect(capture.step { capture.events.last == .resumed })
    }

    /// A device that stalls, or has never delivered anything, for which it has 5 s.
    @Test(arguments: [(true, 5), (false, 5), (true, 0)])
    func stalledThreadIsReplaced(isCalled: Bool, blockCount: Int) throws {
      let capture = try SimulatedCapture(stepping: blockCount)
      SimulatedPhone.changeUnits {
        $0.isStalled = !isCalled
        $0.renderStatus = isCalled ? UnitStatus.cannotDoInCurrentContext : 0
      }
      #expect(capture.step { capture.events == [.deviceLost] })
      SimulatedPhone.changeUnits { $0 = SimulatedUnitChanges() }
      #expect(capture.step { capture.events == [.deviceLost, .deviceReturned] })
      #expect(capture.source.diagnostics.isEmpty == !isCalled)
    }

    @Test(arguments: [UnitStatus.failedInitialization, 0x2170_7269])
    func aFailedSetUpLeavesNothingOpen(status: Int32) throws {
      let source = try CoreAudioSystem.makeSource(CaptureRequest(), sharing: .init())
      SimulatedPhone.changeUnits {
        if status < 0 { $0.initializeStatus = status } else { $0.startStatus = status }
      }
      #expect(throws: DeviceError.self) { try source.start(CaptureSink()) }
      expectOrder()
      #expect(!SimulatedPhone.session.isActive)
      // The source can start when nothing fails.
      SimulatedPhone.changeUnits { $0 = SimulatedUnitChanges() }
      try source.start(CaptureSink())
      source.stop()
    }
  }
}
#endif
