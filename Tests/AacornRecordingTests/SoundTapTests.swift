import AacornDevices
import AacornSignal
import AacornSystem
import DeviceRigs
import Simulation
import Testing

@testable import AacornRecording

@Suite("A tap of the recorded audio", .simulated(seeds: 4, with: .all)) struct SoundTapTests {
  private func record(
    _ configuration: RecordingConfiguration, faults: [SyntheticFaults.Event] = [],
    hasOutput: Bool = true
  ) throws -> (tap: [Float], pieceCount: Int, recorded: [Int16], summary: RecordingSummary) {
    let source = FaultySource.test(frames: 48_000, faults: faults)
    let (log, store) = (RecordingLog(), MemoryOutput.Store())
    let session = log.session(configuration, hasTap: true)
    try session.start(source, outputs: hasOutput ? [MemoryOutput(store)] : [])
    let end = try finalSummary(of: session)
    return (log.sound, log.pieceCount, store.segments.withLock { $0.flatMap(\.samples) }, end)
  }

  private func asIntegers(_ samples: [Float]) -> [Int16] {
    samples.map { SampleConversion.int16($0) }
  }

  @Test(arguments: [nil, 333])
  func tapReceivesEverySampleOnceInOrder(milliseconds: Int?) throws {
    let (tap, pieceCount, recorded, _) = try record(
      .stereo(.int16) { $0.duration = milliseconds.map { .milliseconds($0) } })
    #expect(recorded.count == 2 * 48 * (milliseconds ?? 1000) && asIntegers(tap) == recorded)
    #expect(pieceCount > 10)
  }

  @Test func gainRateAndTheSilenceOfGapsAreInIt() throws {
    var configuration = RecordingConfiguration(
      sampleRate: 44_100, channelCount: 1, coding: .int16)
    configuration.gain = 0.5
    let (tap, _, recorded, summary) = try record(
      configuration,
      faults: [.at(10_000, .loss(frameCount: 4800, cause: .overrun))])
    #expect(summary.gapCount == 1)
    #expect(tap.count == summary.sampleCount && asIntegers(tap) == recorded)
    let gap = try #require(summary.ledger.gaps.first)
    // The resampler still rings just after the borders of the gap.
    let middle = tap[gap.position + 200..<gap.position + gap.length - 200]
    #expect(middle.allSatisfy { $0 == 0 })
  }

  @Test func aSessionWithoutOutputsStillHasSound() throws {
    let (tap, _, recorded, summary) = try record(
      .stereo(.int16), hasOutput: false)
    #expect(recorded.isEmpty && tap.count == 96_000 && summary.failure == nil)
    #expect(summary.sampleCount == 48_000)
  }
}
