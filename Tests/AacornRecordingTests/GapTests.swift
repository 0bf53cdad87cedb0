import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import Simulation
import SoundRigs
import Testing

@Suite(.simulated(seeds: 3)) struct GapTests {
  private func record(_ events: [SyntheticFaults.Event]) throws -> Bench.Outcome {
    var bench = Bench()
    bench.faults = SyntheticFaults(events)
    return try bench.run()
  }

  @Test func aFaultlessDeviceIsRecordedToTheLastSample() throws {
    let outcome = try record([])
    #expect(outcome.samples.count == 2 * 96_000)
    #expect(firstWrongFrame(outcome.samples, gaps: []) == nil)
    #expect(outcome.gaps.isEmpty)
    #expect(outcome.summary.sampleCount == 96_000)
  }

  @Test(arguments: [1, 479, 480, 4801, 50_000])
  func reportedLossBecomesSilenceOfSameLength(lost: Int) throws {
    let outcome = try record([.at(10_000, .loss(frameCount: lost, cause: .overrun))])
    #expect(outcome.gaps.map(\.position) == [10_000])
    #expect(outcome.gaps.map(\.length) == [lost])
    #expect(outcome.gaps.map(\.cause) == [.overrun])
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
    #expect(outcome.summary.filledSampleCount == lost)
  }

  @Test(arguments: [960, 4800, 48_000])
  func unreportedLossIsDetectedByClock(lost: Int) throws {
    let outcome = try record([.at(24_000, .silentLoss(frameCount: lost))])
    #expect(outcome.gaps.map(\.position) == [24_000])
    #expect(outcome.gaps.map(\.length) == [lost])
    #expect(outcome.gaps.map(\.cause) == [.unexplained])
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
  }

  @Test func aSilentLossIsFoundAlthoughTimesJitter() throws {
    var bench = Bench()
    bench.frameCount = 480_000
    bench.faults = SyntheticFaults(
      [.at(240_000, .silentLoss(frameCount: 9600))], jitter: .milliseconds(3))
    let outcome = try bench.run()
    #expect(outcome.gaps.count == 1)
    let gap = try #require(outcome.gaps.first)
    #expect(gap.position == 240_000)
    // The length cannot be more exact than the timestamps.
    #expect(abs(gap.length - 9600) < 48 * 4)
    #expect(abs(outcome.summary.sampleCount - 480_000) < 48 * 4)
  }

  @Test(.realTime) func jitterWithoutLossCausesNoGap() throws {
    var bench = Bench()
    bench.frameCount = 1_440_000
    bench.faults = SyntheticFaults([], jitter: .milliseconds(5), blockFrameCounts: 1...2000)
    let outcome = try bench.run()
    #expect(outcome.gaps.isEmpty)
    #expect(outcome.summary.sampleCount == 1_440_000)
    #expect(firstWrongFrame(outcome.samples, gaps: []) == nil)
  }

  @Test func aLostDeviceIsWaitedForInSilence() throws {
    let outcome = try record([.at(10_000, .absence(for: .milliseconds(700)))])
    #expect(outcome.gaps.map(\.position) == [10_000])
    #expect(outcome.gaps.map(\.length) == [33_600])
    #expect(outcome.gaps.map(\.cause) == [.deviceLost])
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
    #expect(outcome.events.contains(.deviceLost))
  }

  @Test func aSleepingDeviceIsWaitedForInSilence() throws {
    let outcome = try record([.at(10_000, .suspension(for: .milliseconds(500)))])
    #expect(outcome.gaps.map(\.length) == [24_000])
    #expect(outcome.gaps.map(\.cause) == [.suspended])
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
  }

  @Test func gapsOfAllKindsOneAfterTheOtherAddUp() throws {
    let outcome = try record([
      .at(5000, .loss(frameCount: 100, cause: .serverHole)),
      .at(20_000, .absence(for: .milliseconds(100))),
      .at(40_000, .silentLoss(frameCount: 4800)),
      .at(60_000, .suspension(for: .milliseconds(250))),
      .at(80_000, .loss(frameCount: 7, cause: .programLate)),
    ])
    #expect(
      outcome.gaps.map(\.cause) == [
        .serverHole, .deviceLost, .unexplained, .suspended, .programLate,
      ])
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
    #expect(outcome.samples.count == 2 * 96_000)
  }

  @Test func unreliableTimesCauseNoGap() throws {
    var bench = Bench()
    bench.faults = SyntheticFaults([
      .at(0, .unreliableTimes(frameCount: 4800)), .at(48_000, .unreliableTimes(frameCount: 9600)),
    ])
    let outcome = try bench.run()
    #expect(outcome.gaps.isEmpty)
    #expect(firstWrongFrame(outcome.samples, gaps: []) == nil)
  }

  @Test func theLedgerReachesOutputsAndPackets() throws {
    let outcome = try record([
      .at(10_000, .loss(frameCount: 480, cause: .overrun)),
      .at(50_000, .silentLoss(frameCount: 4800)),
    ])
    #expect(outcome.segments.flatMap(\.gaps) == outcome.gaps)
    #expect(outcome.packets.flatMap(\.gaps) == outcome.gaps)
  }

  @Test func positionsOfPacketsFollowSamples() throws {
    let outcome = try record([.at(10_000, .silentLoss(frameCount: 4800))])
    var position = 0
    for packet in outcome.packets {
      #expect(packet.position == position)
      position += packet.sampleCount
    }
    #expect(position == 96_000)
  }

  @Test func aDeviceThatFailsForGoodLeavesWhatWasRecorded() throws {
    let reason = CaptureError.system(operation: "read", id: "test", reason: "it burns")
    let outcome = try record([.at(30_000, .failure(reason))])
    #expect(outcome.summary.failure == .capture(reason))
    #expect(outcome.samples.count == 2 * 30_000)
    #expect(firstWrongFrame(outcome.samples, gaps: []) == nil)
  }

  /// With the real clock, silence is recorded during the absence of the device, not only after its
  /// return.
  @Test(arguments: [
    SyntheticFaults.Kind.absence(for: .milliseconds(800)), .suspension(for: .milliseconds(600)),
  ])
  func timeIsKeptWhileItPasses(kind: SyntheticFaults.Kind) throws {
    var bench = Bench()
    bench.pacing = .realTime
    bench.frameCount = 72_000
    bench.faults = SyntheticFaults([.at(10_000, kind)])
    let outcome = try bench.run()
    let gap = try #require(outcome.gaps.first { $0.position == 10_000 })
    #expect(gap.length == (kind == .suspension(for: .milliseconds(600)) ? 28_800 : 38_400))
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
  }

  @Test func aRecordingThatIsStoppedWhileTheDeviceIsAwayLastsUntilThen() throws {
    let store = MemoryOutput.Store()
    let session = RecordingSession(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16))
    let origin = System.nanoseconds
    let device = HandFedSource(origin: origin)
    try session.start(device, outputs: [MemoryOutput(store)])
    #expect(device.deliver(9600))
    device.notify(.deviceLost)
    #expect(
      eventually { session.takeStatus().isDeviceLost }, "The session detects the lost device.")
    #expect(eventually { session.takeStatus().sampleCount > 24_000 }, "Silence fills the absence.")
    let before = System.nanoseconds
    session.stop()
    let after = System.nanoseconds
    let summary = try finalSummary(of: session)
    func samples(_ time: Int64) -> Int { Int(Double(time - origin) * 48e-6) }
    // The clock has an error of one or two frames.
    #expect(summary.sampleCount >= samples(before) - 4)
    #expect(summary.sampleCount <= samples(after) + 4)
    #expect(summary.ledger.gaps.map(\.position) == [9600])
    #expect(summary.ledger.gaps.map(\.cause) == [.deviceLost])
    let recorded = store.segments.withLock { $0.flatMap(\.samples) }
    #expect(recorded.count == 2 * summary.sampleCount)
    #expect(firstWrongFrame(recorded, gaps: summary.ledger.gaps) == nil)
  }
}
