#if os(Linux)
import AacornSystem
import CAacornALSA
import Simulation
import SoundRigs
import Testing

@testable import AacornDevices

/// Capture from simulated cards that fail.
@Suite(.simulated(seeds: 4)) struct ALSACaptureFaultTests {
  private func card(_ frame: Int, _ fault: ALSACard.Fault) -> ALSACard {
    let card = ALSACard()
    card.faults = [(frame, fault)]
    return card
  }

  @Test func hangLongerThanBufferReportsExactLoss() throws {
    let card = card(12000, .hang(milliseconds: 600))
    card.maxBuffer = 9600
    var run = try ALSARun(card)
    try run.run { $0.lostFrameCount > 0 && $0.frameCount >= 24000 }
    // 600 ms are 28,800 frames, and 9,600 of them fit in the buffer, of which one block is skipped. The calls before
    // the hang ends take another frame's time.
    #expect(28_800 - 9600...28_800 - 9600 + 961 ~= run.lostFrameCount)
    #expect(run.causesOfLoss == [.overrun])
    #expect(run.events == [])
    run.expectEveryFrame()
  }

  @Test func hangWithinBufferLosesNothing() throws {
    var run = try ALSARun(card(9600, .hang(milliseconds: 200)))
    try run.run { $0.frameCount >= 24000 }
    #expect(run.lostFrameCount == 0)
    run.expectEveryFrame()
  }

  /// A plug-in stops at an overrun.
  ///
  /// A card may also stop when it should not.
  @Test(arguments: [0, 24000])
  func captureContinuesAfterOverrunAndReportsLoss(lost: Int) throws {
    let card = card(12000, lost > 0 ? .xrun(lost: lost) : .hang(milliseconds: 600))
    card.type = 11
    var run = try ALSARun(card)
    try run.run { $0.lostFrameCount > 0 && $0.frameCount >= 24000 }
    #expect(run.causesOfLoss == [.overrun])
    #expect(run.events == [])
    #expect(run.source.diagnostics.contains { $0.contains("does not count overruns") })
    run.expectEveryFrame()
  }

  @Test func disconnectedDeviceIsReopenedWithoutBusyWaiting() throws {
    var run = try ALSARun(card(12000, .disconnection(milliseconds: 1500)))
    try run.start()
    run.collect { !$0.events.isEmpty }
    run.collect(milliseconds: 100)
    let count = run.card.read(\.callCount)
    run.collect(milliseconds: 1000)
    // The source tries to open the device four times a second and does nothing else with it.
    #expect(3...4 ~= run.card.read(\.callCount) - count)
    run.collect { $0.events.count > 1 && $0.frameCount >= 24000 }
    run.stop()
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(run.causesOfLoss == [.deviceLost])
    #expect(1500 * 48...1770 * 48 ~= run.lostFrameCount)
    run.expectEveryFrame()
    // The event of the return precedes the first new samples.
    let index = try #require(run.blocks.firstIndex { $0.event == .deviceReturned })
    #expect(run.blocks[index + 1].lostFrameCount > 0)
    #expect(run.blocks[index].time == run.blocks[index + 1].time)
  }

  private static let absences: [(ALSACard.Fault, events: [DeviceEvent], lost: ClosedRange<Int>)] =
    [
      // Losses in milliseconds. A suspended device is asked ten times a second.
      (.suspension(milliseconds: 450, canResume: true), [.suspended, .resumed], 490...520),
      (.suspension(milliseconds: 450, canResume: false), [.suspended, .resumed], 490...520),
      // Three waits of 0.5 s for samples and of 11 ms for a block, and 0.25 s before the device is opened.
      (.stall, [.deviceLost, .deviceReturned], 1780...1800),
    ]

  @Test(arguments: absences)
  func sleepingDeviceIsWokenUpAndSilentOneOpenedAgain(
    fault: ALSACard.Fault, events: [DeviceEvent], lost: ClosedRange<Int>
  ) throws {
    var run = try ALSARun(card(12000, fault), maxSilenceNanoseconds: 1_200_000_000)
    try run.run { $0.events.count > 1 && $0.frameCount >= 24000 }
    #expect(run.events == events)
    #expect(run.causesOfLoss == [fault.isSuspension ? .suspended : .deviceLost])
    #expect(lost.lowerBound * 48...lost.upperBound * 48 ~= run.lostFrameCount)
    run.expectEveryFrame()
  }

  // EIO and EINVAL.
  @Test(arguments: [5, 22] as [Int32])
  func deviceThatAlwaysFailsIsGivenRestAndTriedAgain(code: Int32) throws {
    var run = try ALSARun(card(12000, .error(code, milliseconds: 2500)))
    try run.start()
    run.collect { !$0.events.isEmpty }
    let count = run.card.read(\.callCount)
    run.collect(milliseconds: 1000)
    // An attempt needs 947 ms and 67 calls: it restarts the device six times.
    #expect(run.card.read(\.callCount) - count < 80)
    run.collect { $0.events.count > 1 && $0.frameCount >= 24000 }
    run.stop()
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(run.causesOfLoss == [.deviceLost])
    run.expectEveryFrame()
  }

  /// Their time is unknown.
  @Test func stallDiscardsAnIncompleteBlock() throws {
    let card = card(12_100, .stall)
    card.hasTimestamps = false
    var run = try ALSARun(card)
    try run.start()
    run.collect(milliseconds: 3000)
    #expect(12_000..<12_100 ~= run.end)
    run.stop()
    #expect(12_000..<12_100 ~= run.end)
    run.expectEveryFrame()
  }

  /// Some plug-ins transfer nothing at the end of a file, or fail with `EAGAIN`.
  @Test(arguments: [0, 11] as [Int32])
  func readingNothingIsRepeatedEvery10Milliseconds(code: Int32) throws {
    var run = try ALSARun(card(12_000, .error(code, milliseconds: 2500)))
    try run.start()
    run.collect { $0.card.read(\.hasFailed) }
    let start = run.end
    let count = run.card.read(\.callCount)
    run.collect(milliseconds: 1000)
    // Five calls for each attempt, and some to skip frames.
    #expect(450...600 ~= run.card.read(\.callCount) - count)
    #expect(run.end == start && run.events.isEmpty)
    run.collect { $0.end > start }
    run.stop()
    run.expectEveryFrame()
  }

  @Test func stopReturnsAtOnceWhileTheDeviceIsAway() throws {
    var run = try ALSARun(card(4800, .disconnection(milliseconds: 600_000)))
    try run.start()
    run.collect { !$0.events.isEmpty }
    run.collect(milliseconds: 100)
    #expect(run.stop() < 0.001)
    #expect(run.events == [.deviceLost])
  }

  @Test func stopAbandonsALibraryThatHangs() throws {
    var run = try ALSARun(card(9600, .hang(milliseconds: 180_000)))
    try run.start()
    run.collect { $0.card.read(\.hasFailed) }
    #expect(0.9...0.901 ~= run.stop())
    let count = run.blocks.count
    #expect(throws: DeviceError.deviceBusy(id: run.card.name)) { try run.start() }
    run.collect(milliseconds: 180_000)
    #expect(run.blocks.count == count, "Nothing is delivered after stop.")
    #expect(!run.card.read(\.isOpen))
    try run.run { $0.blocks.count > count }
  }
}
#endif
