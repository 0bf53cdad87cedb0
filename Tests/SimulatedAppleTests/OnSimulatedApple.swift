import AacornDevices
import AacornSystem
import SimulatedApple
import SimulatedAudio
import Testing

/// All tests, one at a time, because there is a single phone and a single Mac.
@Suite(.serialized, NewMachine()) struct OnSimulatedApple {}

/// Gives each test a new phone, or a new portable Mac, whose microphones deliver a counter.
///
/// After the test, it expects that nothing is left open; see `expectOrder`.
struct NewMachine: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    SimulatedSystem.reset()
    #if SIMULATED_MACOS
    SimulatedMac.begin()
    #endif
    SimulatedSound.signal = { _, frame, channel in
      CounterSignal.value(frame: frame, channel: channel)
    }
    try await function()
    expectOrder()
  }
}

/// Expects no open unit, converter, file or observer, and no invalid call.
func expectOrder(_ location: SourceLocation = #_sourceLocation) {
  #expect(eventually { SimulatedUnits.open.isEmpty }, sourceLocation: location)
  #expect(eventually { SimulatedNotifications.count == 0 }, sourceLocation: location)
  #expect(SimulatedMac.listenerCount == 0, sourceLocation: location)
  #expect(SimulatedConverters.openCount == 0, sourceLocation: location)
  #expect(SimulatedFiles.openCount == 0, sourceLocation: location)
  #expect(SimulatedUnits.faults.isEmpty, sourceLocation: location)
}

/// The timeout for expected events, in seconds; longer than any machine needs.
private let timeoutSeconds = 120.0

/// Waits until `condition` returns true, and calls `step` after each attempt; returns false on
/// timeout.
func eventually(_ condition: () -> Bool, stepping step: () -> Void = {}) -> Bool {
  let deadline = System.seconds + timeoutSeconds
  while System.seconds < deadline {
    if condition() { return true }
    step()
    System.sleep(milliseconds: 1)
  }
  return condition()
}
