#if os(Linux)
import AacornDevices
import AacornSystem
import SoundRigs
import Testing

/// Capture from devices that fail.
@Suite(.serialized)
struct ALSAFaultTests {
  @Test func hangLongerThanBufferReportsExactLoss() throws {
    let id = ALSAConfiguration.device(
      "standstill", buffer: 9600, fault: .hang(at: 12000, milliseconds: 600))
    var run = try ALSARun(id)
    try run.run { $0.lostFrameCount > 0 && $0.frameCount >= 24000 }
    // 600 ms are 28,800 frames; 9,600 of them fit in the buffer.
    #expect(run.lostFrameCount >= 28800 - 9600)
    #expect(run.allCausesOfLoss.allSatisfy { $0 == .overrun })
    #expect(run.events == [])
    run.expectEveryFrameAccountedFor()
  }

  @Test func hangWithinBufferLosesNothing() throws {
    let id = ALSAConfiguration.device("pause", fault: .hang(at: 9600, milliseconds: 100))
    var run = try ALSARun(id)
    try run.run { $0.frameCount >= 24000 }
    #expect(run.lostFrameCount == 0 || run.wasStalled)
    run.expectEveryFrameAccountedFor()
  }

  @Test func captureContinuesAfterOverrunAndReportsLoss() throws {
    let id = ALSAConfiguration.device("overrun", fault: .overrun(at: 12000, lost: 24000))
    var run = try ALSARun(id)
    try run.run { $0.lostFrameCount > 0 && $0.frameCount >= 24000 }
    #expect(run.frameCount >= 24000)
    let causes = run.allCausesOfLoss
    #expect(causes == [.overrun] || run.wasStalled && Set(causes) == [.overrun])
    #expect(run.lostFrameCount >= 24000 - 960)
    #expect(run.events == [])
    // The device does not report the loss. The clock shows it, up to the time that a query takes.
    run.expectEveryFrameAccountedFor(tolerance: 960)
  }

  @Test func disconnectedDeviceIsReopenedWithoutBusyWaiting() throws {
    let id = ALSAConfiguration.device(
      "unplugged", fault: .disconnection(at: 12000, milliseconds: 1500))
    var run = try ALSARun(id)
    try run.start()
    run.collect { !$0.events.isEmpty }
    let configuration = try ALSAConfiguration.install()
    let before = configuration.callCount(ofDevice: "unplugged")
    let start = System.seconds
    #expect(
      eventually { configuration.callCount(ofDevice: "unplugged") >= before + 4 },
      "Trying again.")
    // The source opens the device four times a second and does nothing else with it.
    #expect(System.seconds - start > 0.7)
    run.collect { $0.events.count > 1 && $0.frameCount >= 24000 }
    run.stop()
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(run.frameCount >= 24000)
    #expect(run.causesOfLoss == [.deviceLost])
    #expect(run.lostFrameCount >= 1500 * 48)
    run.expectEveryFrameAccountedFor(tolerance: 960)
    // The event of the return precedes the first new samples.
    let index = try #require(run.blocks.firstIndex { $0.event == .deviceReturned })
    #expect(run.blocks[index + 1].lostFrameCount > 0)
  }

  @Test(arguments: [true, false])
  func sleepingDeviceIsWokenUp(canResume: Bool) throws {
    let id = ALSAConfiguration.device(
      "sleeper-\(canResume)",
      fault: .suspension(at: 12000, milliseconds: 300, canResume: canResume))
    var run = try ALSARun(id)
    try run.run { $0.events.count > 1 && $0.frameCount >= 24000 }
    #expect(run.events == [.suspended, .resumed])
    #expect(run.frameCount >= 24000)
    #expect(run.causesOfLoss.allSatisfy { $0 == .suspended })
    run.expectEveryFrameAccountedFor(tolerance: 960)
  }

  // EIO and EINVAL.
  @Test(arguments: [5, 22])
  func deviceThatAlwaysFailsIsGivenRestAndTriedAgain(code: Int) throws {
    let id = ALSAConfiguration.device(
      "broken-\(code)", fault: .error(code, at: 12000, milliseconds: 2500))
    var run = try ALSARun(id)
    try run.start()
    run.collect { $0.frameCount >= 11000 }
    let configuration = try ALSAConfiguration.install()
    let before = configuration.callCount(ofDevice: "broken-\(code)")
    let start = System.seconds
    run.collect { $0.events.count > 1 }
    let calls = configuration.callCount(ofDevice: "broken-\(code)") - before
    // A few opens, starts and queries per second; a busy loop would make a million calls.
    #expect(Double(calls) < 500 * (1 + System.seconds - start), "\(calls)")
    run.collect { $0.frameCount >= 24000 }
    run.stop()
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(run.frameCount >= 24000)
    run.expectEveryFrameAccountedFor(tolerance: 960)
  }

  @Test func silentDeviceIsOpenedAgain() throws {
    let id = ALSAConfiguration.device("silent", fault: .stall(at: 12000))
    var run = try ALSARun(id, maxSilenceNanoseconds: 700_000_000)
    try run.run { $0.events.count > 1 && $0.frameCount >= 24000 }
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(run.frameCount >= 24000)
    run.expectEveryFrameAccountedFor(tolerance: 960)
  }

  @Test func stopReturnsWhileTheDeviceIsAway() throws {
    let id = ALSAConfiguration.device(
      "gone", fault: .disconnection(at: 4800, milliseconds: 600_000))
    var run = try ALSARun(id)
    try run.start()
    run.collect { !$0.events.isEmpty }
    let before = System.seconds
    run.stop()
    #expect(System.seconds - before < promptSeconds)
    #expect(run.events == [.deviceLost])
  }

  @Test func stopReturnsWhileTheLibraryHangs() throws {
    let id = ALSAConfiguration.device("hung", fault: .hang(at: 9600, milliseconds: 180_000))
    var run = try ALSARun(id)
    try run.start()
    // The number of frames before the fault depends on when the machine polls the device.
    let configuration = try ALSAConfiguration.install()
    run.collect { _ in configuration.hasFailed(device: "hung") }
    run.collectUntilIdle()
    let before = System.seconds
    run.stop()
    #expect(System.seconds - before < promptSeconds)
  }

  @Test func stopDuringLibraryHangDeliversNothingMore() throws {
    let id = ALSAConfiguration.device("late", fault: .hang(at: 9600, milliseconds: 2500))
    var run = try ALSARun(id)
    try run.start()
    let configuration = try ALSAConfiguration.install()
    run.collect { _ in configuration.hasFailed(device: "late") }
    run.stop()
    // The device is closed when the hang ends.
    #expect(eventually { !configuration.isOpen(device: "late") }, "The hang ends.")
    let hasMore = run.take(milliseconds: 200)
    #expect(!hasMore)
  }
}
#endif
