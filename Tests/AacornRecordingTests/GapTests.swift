import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import DeviceRigs
import Simulation
import SoundRigs
import Testing

@Suite(.simulated(seeds: 3)) struct GapTests {
  private func record(_ events: [SyntheticFaults.Event]) throws -> Bench.Outcome {
    var bench = Bench()
    bench.faults = SyntheticFaults(events)
    return try bench.run()
  }

  static let gaps: [(fault: SyntheticFaults.Kind, length: Int, cause: RecordingGap.Cause)] =
    [1, 479, 480, 4801, 50_000].map { (.loss(frameCount: $0, cause: .overrun), $0, .overrun) }
    // The clock shows losses that are not reported.
    + [960, 4800, 48_000].map { (.silentLoss(frameCount: $0), $0, .unexplained) } + [
      (.absence(for: .milliseconds(700)), 33_600, .deviceLost),
      (.suspension(for: .milliseconds(500)), 24_000, .suspended),
    ]

  @Test(arguments: gaps)
  func lossBecomesSilenceOfSameLength(
    fault: SyntheticFaults.Kind, length: Int, cause: RecordingGap.Cause
  ) throws {
    let outcome = try record([.at(30_001, fault)])
    #expect(outcome.gaps.map(\.position) == [30_001])
    #expect(outcome.gaps.map(\.length) == [length])
    #expect(outcome.gaps.map(\.cause) == [cause])
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
    #expect(outcome.summary.filledSampleCount == length)
    #expect(outcome.events.contains(.deviceLost) == (cause == .deviceLost))
    #expect(outcome.segments.flatMap(\.gaps) == outcome.gaps)
    #expect(outcome.packets.flatMap(\.gaps) == outcome.gaps)
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
