import AacornSystem
import SoundRigs
import Testing

@testable import AacornDevices

/// The behavior of a source on fake hardware.
@Suite struct CoreAudioSourceTests {
  private let hardware = FakeHardware()
  private let sink = CaptureSink()

  private func makeSource() -> CoreAudioSource {
    CoreAudioSource(CaptureRequest(), on: hardware)
  }

  /// Waits for the next entries of the sink and returns them.
  private func next(_ count: Int) -> [CaptureEvent] {
    var samples: [Float] = []
    return (0..<count).compactMap { _ in
      sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)?.event
    }
  }

  private func isEmpty() -> Bool {
    var samples: [Float] = []
    return sink.read(into: &samples, milliseconds: 0) == nil
  }

  @Test func samplesFlowFromStartToStop() throws {
    let source = makeSource()
    try source.start(sink)
    #expect(next(1) == [.samples])
    #expect(source.device == FakeHardware.microphone)
    #expect(source.diagnostics == ["a remark"])
    #expect(source.followsClock)
    source.stop()
    source.stop()
    #expect(hardware.log == ["activate", "open mic", "unobserve", "close", "deactivate"])
    #expect(isEmpty())
  }

  @Test func aStoppedSourceCanStartAgain() throws {
    let source = makeSource()
    for _ in 0..<3 {
      try source.start(sink)
      #expect(next(1) == [.samples])
      source.stop()
    }
    #expect(hardware.value.openCount == 0)
  }

  @Test func aRunningSourceCannotStartTwice() throws {
    let source = makeSource()
    try source.start(sink)
    #expect(throws: CaptureError.self) { try source.start(sink) }
    source.stop()
  }

  @Test func deniedPermissionThrowsBeforeActivation() {
    hardware.change { $0.isPermitted = false }
    #expect(throws: CaptureError.permissionDenied(id: "microphone")) {
      try makeSource().start(sink)
    }
    #expect(hardware.log.isEmpty)
  }

  @Test(arguments: [true, false])
  func theStartWaitsForThePersonsAnswer(isGranted: Bool) {
    hardware.change { $0.isPermitted = nil }
    let hardware = hardware
    let isAnswering = System.startThread {
      _ = hardware.started.wait(milliseconds: TestTimeout.milliseconds)
      hardware.answer(isGranted)
    }
    #expect(isAnswering)
    let source = makeSource()
    let result = Result { try source.start(sink) }
    #expect(((try? result.get()) != nil) == isGranted)
    #expect(!isGranted || next(1) == [.samples])
    source.stop()
  }

  @Test func aStopEndsTheWaitForAnAnswer() {
    hardware.change { $0.isPermitted = nil }
    let source = makeSource()
    let hardware = hardware
    _ = System.startThread {
      _ = hardware.started.wait(milliseconds: TestTimeout.milliseconds)
      source.stop()
    }
    #expect(throws: CaptureError.self) { try source.start(sink) }
  }

  @Test(arguments: ["activate", "open", "start"])
  func aFailedSetUpLeavesNothingOpen(step: String) {
    let error = CaptureError.deviceBusy(id: step)
    hardware.change {
      switch step {
      case "activate": $0.activateError = error
      case "open": $0.openError = error
      default: $0.startError = error
      }
    }
    let source = makeSource()
    #expect(throws: error) { try source.start(sink) }
    source.stop()
    #expect(hardware.value.openCount == 0)
    #expect(!hardware.value.isActive)
    #expect(hardware.value.post == nil)
    #expect(isEmpty())
  }

  @Test func aFailedStartDoesNotLatch() throws {
    hardware.change { $0.startError = .deviceBusy(id: "mic") }
    let source = makeSource()
    #expect(throws: CaptureError.self) { try source.start(sink) }
    hardware.change { $0.startError = nil }
    try source.start(sink)
    #expect(next(1) == [.samples])
    source.stop()
  }

  @Test func captureResumesOnlyIfInterruptionEndRequestsIt() throws {
    let source = makeSource()
    try source.start(sink)
    #expect(next(1) == [.samples])
    hardware.post(.interrupted(.untilEnded))
    #expect(next(1) == [.suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    hardware.post(.routeChanged(.newDevice))
    // Wait, because the test checks that nothing happens.
    System.sleep(milliseconds: 100)
    #expect(hardware.activationCount == 1)
    #expect(source.failure == nil)
    hardware.post(.interruptionEnded(shouldResume: true))
    #expect(next(2) == [.resumed, .samples])
    source.stop()
    // The session is activated again before the unit is opened, and only for the last of these
    // events.
    #expect(
      hardware.log == [
        "activate", "open mic", "close", "activate", "open mic", "unobserve", "close", "deactivate",
      ])
  }

  @Test func aResumptionThatFailsIsTriedAgain() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.post(.interrupted(.untilEnded))
    #expect(next(2) == [.samples, .suspended])
    hardware.change { $0.activateError = .deviceBusy(id: "session") }
    hardware.post(.interruptionEnded(shouldResume: true))
    hardware.post(.routeChanged(.unknown))
    hardware.change {
      $0.activateError = nil
      $0.device = FakeHardware.headset
    }
    #expect(next(3) == [.resumed, .deviceChanged, .samples])
    source.stop()
  }

  @Test func pastInterruptionResumesWithoutEndEvent() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.post(.interrupted(.endedWhileSuspended))
    #expect(next(4) == [.samples, .suspended, .resumed, .samples])
    source.stop()
  }

  @Test func resumeRequestNeedsNoSystemSuggestion() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.post(.interrupted(.untilEnded))
    #expect(next(2) == [.samples, .suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    #expect(
      eventually { source.diagnostics.contains { $0.contains("Resume") } },
      "The source says what it waits for.")
    source.resume()
    #expect(next(2) == [.resumed, .samples])
    // A working source is not changed.
    source.resume()
    source.stop()
    #expect(hardware.activationCount == 2)
    #expect(isEmpty())
  }

  /// A call on a tablet with a closed cover, in either order.
  @Test(
    arguments: [[.untilBack, .untilEnded], [.untilEnded, .untilBack]] as [[CoreAudioInterruption]])
  func concurrentInterruptionsNeedResumeRequest(pauses: [CoreAudioInterruption]) throws {
    let source = makeSource()
    try source.start(sink)
    for pause in pauses { hardware.post(.interrupted(pause)) }
    #expect(next(2) == [.samples, .suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    #expect(eventually { source.diagnostics.contains { $0.contains("Resume") } })
    #expect(hardware.activationCount == 1)
    hardware.post(.interruptionEnded(shouldResume: true))
    #expect(next(2) == [.resumed, .samples])
    // The next interruption is counted separately.
    hardware.post(.interrupted(.untilBack))
    #expect(next(1) == [.suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    #expect(next(2) == [.resumed, .samples])
    source.stop()
  }

  @Test func failedResumeIsRetriedSoon() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.post(.interrupted(.untilEnded))
    #expect(next(2) == [.samples, .suspended])
    hardware.change { $0.activateError = .deviceBusy(id: "session") }
    source.resume()
    hardware.waitForActivation(3)
    hardware.change { $0.activateError = nil }
    #expect(next(2) == [.resumed, .samples])
    source.stop()
  }

  @Test func endlessInterruptionIsCheckedWhenAppBecomesActive() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.post(.interrupted(.untilEnded))
    #expect(next(2) == [.samples, .suspended])
    hardware.change { $0.activateError = .deviceBusy(id: "session") }
    hardware.post(.appActive)
    hardware.waitForActivation(2)
    // The call continues, so the source waits until the user returns to the app.
    hardware.post(.routeChanged(.newDevice))
    hardware.change { $0.activateError = nil }
    hardware.post(.appActive)
    #expect(next(2) == [.resumed, .samples])
    source.stop()
    #expect(hardware.activationCount == 3)
  }

  @Test func interruptionBeyondLimitFailsTheSource() throws {
    hardware.change { $0.maxInterruptionDuration = .milliseconds(1) }
    let source = makeSource()
    try source.start(sink)
    hardware.change { $0.activateError = .deviceBusy(id: "session") }
    hardware.post(.interrupted(.untilEnded))
    #expect(next(3) == [.samples, .suspended, .failed])
    #expect(source.failure?.message.contains("interrupted for") == true)
    // The source has retried once, since the notification of the end may be missing.
    #expect(hardware.activationCount == 2)
    source.stop()
    #expect(hardware.value.openCount == 0)
    #expect(isEmpty())
  }

  @Test func interruptionLimitResumesIfDeviceIsFree() throws {
    hardware.change { $0.maxInterruptionDuration = .milliseconds(1) }
    let source = makeSource()
    try source.start(sink)
    hardware.post(.interrupted(.untilEnded))
    #expect(next(4) == [.samples, .suspended, .resumed, .samples])
    #expect(source.failure == nil)
    source.stop()
  }

  @Test func categoryChangesDoNotTriggerRetries() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.change { $0.device = nil }
    hardware.post(.routeChanged(.oldDeviceGone))
    #expect(next(2) == [.samples, .deviceLost])
    for _ in 0..<1000 { hardware.post(.routeChanged(.category)) }
    // The event after them shows that the source has handled them.
    hardware.post(.interrupted(.untilEnded))
    hardware.post(.interruptionEnded(shouldResume: false))
    #expect(
      eventually { source.diagnostics.contains { $0.contains("Resume") } },
      "The source says what it waits for.")
    // If these events triggered retries, there would be 1000. The timer alone would need hours for
    // 500.
    #expect(hardware.activationCount < 500)
    source.stop()
  }

  @Test func anotherDeviceIsFollowed() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.change { $0.device = FakeHardware.headset }
    hardware.post(.routeChanged(.newDevice))
    #expect(next(3) == [.samples, .deviceChanged, .samples])
    #expect(source.device == FakeHardware.headset)
    source.stop()
  }

  @Test func anotherRateOfTheSameDeviceShowsInTheBlocks() throws {
    let source = makeSource()
    try source.start(sink)
    #expect(next(1) == [.samples])
    hardware.change { $0.device?.sampleRate = 24_000 }
    hardware.post(.routeChanged(.configuration))
    var samples: [Float] = []
    let block = sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)
    #expect(block?.event == .samples)
    #expect(block?.sampleRate == 24_000)
    source.stop()
  }

  @Test func aChangeThatDoesNotConcernTheInputIsIgnored() throws {
    let source = makeSource()
    try source.start(sink)
    for _ in 0..<100 { hardware.post(.routeChanged(.category)) }
    source.stop()
    #expect(hardware.log.filter { $0 == "open mic" }.count == 1)
  }

  @Test(arguments: [
    CoreAudioEvent.routeChanged(.oldDeviceGone), .interrupted(.deviceGone), .servicesLost,
  ])
  func lostDeviceIsAwaitedAndReportedOnce(event: CoreAudioEvent) throws {
    let source = makeSource()
    try source.start(sink)
    hardware.change { $0.device = nil }
    hardware.post(event)
    #expect(next(2) == [.samples, .deviceLost])
    let count = hardware.activationCount
    hardware.post(.servicesLost)
    hardware.post(.routeChanged(.oldDeviceGone))
    // A retry may have been in progress before these events; then both of them are handled.
    hardware.waitForActivation(count + 2)
    // Neither a repeated event nor a device that cannot be opened yet is reported.
    hardware.change {
      $0.device = FakeHardware.microphone
      $0.openError = .unsupportedFormat(id: "mic", reason: "none yet")
    }
    hardware.post(.routeChanged(.newDevice))
    hardware.change { $0.openError = nil }
    #expect(next(2) == [.deviceReturned, .samples])
    source.stop()
    #expect(isEmpty())
  }

  @Test func deviceReturnsAfterServiceReset() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.post(.servicesReset)
    #expect(next(4) == [.samples, .deviceLost, .deviceReturned, .samples])
    source.stop()
  }

  @Test func aDeviceThatDeliversNothingIsLost() throws {
    hardware.change { $0.isSilent = true }
    let source = makeSource()
    try source.start(sink)
    hardware.change { $0.isSilent = false }
    var samples: [Float] = []
    let events = (0..<3).map { _ in
      sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)?.event
    }
    #expect(events == [.deviceLost, .deviceReturned, .samples])
    #expect(source.diagnostics.contains { $0.contains("-10863") })
    source.stop()
  }

  @Test func aBlockLongerThanTheRoomMakesRoom() throws {
    hardware.change { $0.refusedFrameCount = 8192 }
    let source = makeSource()
    try source.start(sink)
    // No event is sent, because it is the same device.
    #expect(next(2) == [.samples, .samples])
    #expect(hardware.value.lastOrder?.neededFrameCount == 8192)
    source.stop()
    #expect(hardware.log.filter { $0 == "open mic" }.count == 2)
  }

  @Test func aWithdrawnPermissionIsAFailure() throws {
    let source = makeSource()
    try source.start(sink)
    hardware.change {
      $0.device = nil
      $0.isPermitted = false
    }
    hardware.post(.routeChanged(.oldDeviceGone))
    #expect(next(3) == [.samples, .deviceLost, .failed])
    #expect(source.failure == .permissionDenied(id: "microphone"))
    source.stop()
    #expect(isEmpty())
  }

  @Test func aSystemThatHangsDoesNotHoldUpTheStop() throws {
    let hang = Semaphore()
    hardware.change { $0.onClose = { _ = hang.wait(milliseconds: 300_000) } }
    let source = makeSource()
    try source.start(sink)
    source.stop()
    // The stop has returned although the device is still being closed.
    #expect(!hardware.log.contains("deactivate"))
    hang.signal()
  }
}
