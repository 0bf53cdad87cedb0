import AacornDevices
import AacornSignal
import AacornSystem
import Simulation
import Testing

@testable import AacornRecording

@Suite("A tap of the recorded audio", .simulated(seeds: 4, with: .all)) struct SoundTapTests {
  /// The samples that a tap received, and the number of pieces in which they arrived.
  private final class Tap: Sendable {
    let samples = Lock<(all: [Float], pieceCount: Int)>(([], 0))

    func take(_ sound: borrowing Span<Float>) {
      var piece: [Float] = []
      for index in 0..<sound.count { piece.append(sound[index]) }
      samples.withLock { samples in
        samples.all += piece
        samples.pieceCount += 1
      }
    }
  }

  /// Records a counter into memory with a tap.
  private func record(
    _ configuration: RecordingConfiguration, faults: SyntheticFaults = SyntheticFaults(),
    sampleRate: Int = 48_000, hasOutput: Bool = true
  ) throws -> (tap: [Float], pieceCount: Int, recorded: [Int16], summary: RecordingSummary) {
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: SyntheticExcerpt(
        of: CounterSignal(sampleRate: sampleRate, channelCount: 2), frameCount: sampleRate),
      pacing: .unpaced, faults: faults)
    let store = MemoryOutput.Store()
    let tap = Tap()
    let session = RecordingSession(configuration, sound: { tap.take($0) })
    try session.start(source, outputs: hasOutput ? [MemoryOutput(store)] : [])
    let end = try finalSummary(of: session)
    let (samples, pieceCount) = tap.samples.withLock { $0 }
    return (
      samples, pieceCount, store.segments.withLock { $0.flatMap(\.samples) },
      end
    )
  }

  private func asIntegers(_ samples: [Float]) -> [Int16] {
    samples.map { SampleConversion.int16($0) }
  }

  @Test func tapReceivesEverySampleOnceInOrder() throws {
    let (tap, pieceCount, recorded, _) = try record(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16))
    #expect(recorded.count == 96_000 && asIntegers(tap) == recorded)
    #expect(pieceCount > 10)
  }

  @Test func gainRateAndTheSilenceOfGapsAreInIt() throws {
    var configuration = RecordingConfiguration(
      sampleRate: 44_100, channelCount: 1, coding: .int16)
    configuration.gain = 0.5
    let (tap, _, recorded, summary) = try record(
      configuration,
      faults: SyntheticFaults([.at(10_000, .loss(frameCount: 4800, cause: .overrun))]))
    #expect(summary.gapCount == 1)
    #expect(tap.count == summary.sampleCount && asIntegers(tap) == recorded)
    let gap = try #require(summary.ledger.gaps.first)
    // The resampler still rings just after the borders of the gap.
    let middle = tap[gap.position + 200..<gap.position + gap.length - 200]
    #expect(middle.allSatisfy { $0 == 0 })
  }

  @Test func tapEndsAtConfiguredDuration() throws {
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: .int16)
    configuration.duration = .milliseconds(333)
    let (tap, _, recorded, _) = try record(configuration)
    #expect(tap.count == 2 * 48 * 333 && asIntegers(tap) == recorded)
  }

  @Test func aSessionWithoutOutputsStillHasSound() throws {
    let (tap, _, recorded, summary) = try record(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16),
      hasOutput: false)
    #expect(recorded.isEmpty && tap.count == 96_000 && summary.failure == nil)
    #expect(summary.sampleCount == 48_000)
  }
}
