import AacornSystem
import SoundRigs
import Testing

@testable import AacornDevices

/// The behavior of a source on fake hardware.
@Suite struct CoreAudioSourceTests {
  private let hardware = FakeHardware()
  private let sink = CaptureSink()

  private func makeSource() -> CoreAudioSource {
    CoreAudioSource(on: hardware)
  }

  private func startSource() throws -> CoreAudioSource {
    let source = makeSource()
    try source.start(sink)
    return source
  }

  /// Waits for the next entries of the sink and returns their events; nil is a block of samples.
  private func next(_ count: Int) -> [DeviceEvent?] {
    var samples: [Float] = []
    return (0..<count).compactMap { _ in
      sink.read(into: &samples, milliseconds: TestTimeout.milliseconds).map(\.event)
    }
  }

  private func isEmpty() -> Bool {
    var samples: [Float] = []
    return sink.read(into: &samples, milliseconds: 0) == nil
  }

  @Test func samplesFlowFromStartToStop() throws {
    let source = try startSource()
    #expect(next(1) == [nil])
    #expect(source.device == FakeHardware.microphone)
    #expect(source.diagnostics == ["a remark"])
    #expect(source.followsClock)
    source.stop()
    source.stop()
    #expect(hardware.log == ["activate", "open mic", "unobserve", "close", "deactivate"])
    #expect(isEmpty())
  }

  @Test func aStoppedSourceCanStartAgainButNotTwice() throws {
    let source = makeSource()
    for _ in 0..<3 {
      try source.start(sink)
      #expect(throws: DeviceError.self) { try source.start(sink) }
      #expect(next(1) == [nil])
      source.stop()
    }
    #expect(hardware.value.openCount == 0)
  }

  @Test func aStopEndsTheWaitForAnAnswer() {
    hardware.change { $0.isPermitted = nil }
    let source = makeSource()
    let hardware = hardware
    _ = System.startThread {
      _ = hardware.asked.wait(milliseconds: TestTimeout.milliseconds)
      source.stop()
    }
    #expect(throws: DeviceError.self) { try source.start(sink) }
  }

  @Test func aFailedStartDoesNotLatch() throws {
    hardware.change { $0.startError = .deviceBusy(id: "mic") }
    let source = makeSource()
    #expect(throws: DeviceError.self) { try source.start(sink) }
    hardware.change { $0.startError = nil }
    try source.start(sink)
    #expect(next(1) == [nil])
    source.stop()
  }

  @Test func captureResumesOnlyIfInterruptionEndRequestsIt() throws {
    let source = try startSource()
    #expect(next(1) == [nil])
    hardware.post(.interrupted(.untilEnded))
    #expect(next(1) == [.suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    hardware.post(.routeChanged(.newDevice))
    // Wait, because the test checks that nothing happens.
    System.sleep(milliseconds: 100)
    #expect(hardware.activationCount == 1)
    #expect(source.failure == nil)
    hardware.post(.interruptionEnded(shouldResume: true))
    #expect(next(2) == [.resumed, nil])
    // A working source is not changed.
    source.resume()
    source.stop()
    // The session is activated again before the unit is opened, and only for the last of these
    // events.
    #expect(
      hardware.log == [
        "activate", "open mic", "close", "activate", "open mic", "unobserve", "close", "deactivate",
      ])
  }

  @Test func aResumptionThatFailsIsTriedAgain() throws {
    let source = try startSource()
    hardware.post(.interrupted(.untilEnded))
    #expect(next(2) == [nil, .suspended])
    hardware.change { $0.activateError = .deviceBusy(id: "session") }
    hardware.post(.interruptionEnded(shouldResume: true))
    hardware.post(.routeChanged(.unknown))
    hardware.change {
      $0.activateError = nil
      $0.device = FakeHardware.headset
    }
    #expect(next(3) == [.resumed, .deviceChanged, nil])
    source.stop()
  }

  /// A call on a tablet with a closed cover, in either order.
  @Test(
    arguments: [[.untilBack, .untilEnded], [.untilEnded, .untilBack]] as [[CoreAudioInterruption]])
  func concurrentInterruptionsNeedResumeRequest(pauses: [CoreAudioInterruption]) throws {
    let source = try startSource()
    for pause in pauses { hardware.post(.interrupted(pause)) }
    #expect(next(2) == [nil, .suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    #expect(eventually { source.diagnostics.contains { $0.contains("Resume") } })
    #expect(hardware.activationCount == 1)
    hardware.post(.interruptionEnded(shouldResume: true))
    #expect(next(2) == [.resumed, nil])
    // The next interruption is counted separately.
    hardware.post(.interrupted(.untilBack))
    #expect(next(1) == [.suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    #expect(next(2) == [.resumed, nil])
    source.stop()
  }

  @Test func interruptionBeyondLimitFailsTheSource() throws {
    hardware.change { $0.maxInterruptionDuration = .milliseconds(1) }
    let source = try startSource()
    hardware.change { $0.activateError = .deviceBusy(id: "session") }
    hardware.post(.interrupted(.untilEnded))
    #expect(next(3) == [nil, .suspended, .failed])
    #expect(source.failure?.message.contains("interrupted for") == true)
    // The source has retried once, since the notification of the end may be missing.
    #expect(hardware.activationCount == 2)
    source.stop()
    #expect(hardware.value.openCount == 0)
    #expect(isEmpty())
  }

  @Test func interruptionLimitResumesIfDeviceIsFree() throws {
    hardware.change { $0.maxInterruptionDuration = .milliseconds(1) }
    let source = try startSource()
    hardware.post(.interrupted(.untilEnded))
    #expect(next(4) == [nil, .suspended, .resumed, nil])
    #expect(source.failure == nil)
    source.stop()
  }

  @Test func categoryChangesDoNotTriggerRetries() throws {
    let source = try startSource()
    hardware.change { $0.device = nil }
    hardware.post(.routeChanged(.oldDeviceGone))
    #expect(next(2) == [nil, .deviceLost])
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

  @Test(arguments: [
    CoreAudioEvent.routeChanged(.oldDeviceGone), .interrupted(.deviceGone), .servicesLost,
  ])
  func lostDeviceIsAwaitedAndReportedOnce(event: CoreAudioEvent) throws {
    let source = try startSource()
    hardware.change { $0.device = nil }
    hardware.post(event)
    #expect(next(2) == [nil, .deviceLost])
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
    #expect(next(2) == [.deviceReturned, nil])
    source.stop()
    #expect(isEmpty())
  }

  @Test func aWithdrawnPermissionIsAFailure() throws {
    let source = try startSource()
    hardware.change {
      $0.device = nil
      $0.isPermitted = false
    }
    hardware.post(.routeChanged(.oldDeviceGone))
    #expect(next(3) == [nil, .deviceLost, .failed])
    #expect(source.failure == .permissionDenied(id: "microphone"))
    source.stop()
    #expect(isEmpty())
  }

  @Test func aSystemThatHangsDoesNotHoldUpTheStop() throws {
    let hang = Semaphore()
    hardware.change { $0.onClose = { _ = hang.wait(milliseconds: 300_000) } }
    let source = try startSource()
    source.stop()
    // The stop has returned although the device is still being closed.
    #expect(!hardware.log.contains("deactivate"))
    hang.signal()
  }
}
