import AacornDevices
import AacornRecording
import AacornSignal
import DeviceRigs
import Simulation
import Testing

/// The samples that remain of a source that fails permanently.
@Suite(.simulated(seeds: 4, with: .all)) struct TrackLossTests {
  private static let reason = DeviceError.system(
    operation: "capture from", id: "test", reason: "its cable was pulled")

  /// An unpaced source with a tone that fails at a frame.
  private static func source(failingAt frame: Int, frames: Int) -> FaultySource {
    FaultySource.test(
      ToneSignal(sampleRate: 48_000, channelCount: 2), frames: frames,
      faults: [.at(frame, .failure(reason))])
  }

  /// The first samples of the tone, 20 dB quieter.
  private static func tone(_ frameCount: Int) throws -> [Float] {
    var signal = ToneSignal(sampleRate: 48_000, channelCount: 2)
    var samples: [Float] = []
    while samples.count < 2 * frameCount,
      signal.read(into: &samples, frameCount: frameCount - samples.count / 2) > 0
    {}
    return samples.map { $0 * 0.1 }
  }

  private static func record(
    _ tracks: [TrackSource]
  ) throws -> (samples: [Float], summary: RecordingSummary) {
    let log = RecordingLog()
    let session = log.session(.stereo(.float32), hasTap: true)
    try session.start(tracks, outputs: [])
    let summary = try finalSummary(of: session)
    return (log.sound, summary)
  }

  private static func isNear(_ one: ArraySlice<Float>, _ other: [Float]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 1e-6 }
  }

  @Test func theFirstTrackIsRecordedToItsLastSample() throws {
    var settings = TrackConfiguration("mic")
    settings.effects = try EffectDescription.parse("gain -20, limiter -1, limiter -2")
    let (samples, summary) = try Self.record([
      TrackSource(settings, from: Self.source(failingAt: 20_001, frames: 30_000))
    ])
    #expect(summary.failure == .capture(Self.reason))
    #expect(summary.sampleCount == 20_001)
    let tone = try Self.tone(20_001)
    #expect(Self.isNear(samples[...], tone))
  }

  @Test func failingFollowerIsMixedToItsLastSample() throws {
    var settings = TrackConfiguration("guest")
    settings.effects = try EffectDescription.parse("gain -20, limiter -1, limiter -2")
    let silence = SyntheticSource.test(
      SilenceSignal(sampleRate: 48_000, channelCount: 2), frames: 30_000)
    let (samples, summary) = try Self.record([
      TrackSource(TrackConfiguration("mic"), from: silence),
      TrackSource(settings, from: Self.source(failingAt: 20_001, frames: 30_000)),
    ])
    #expect(summary.failure == nil)
    #expect(summary.sampleCount == 30_000)
    try #require(samples.count == 60_000)
    // The start of the tone is faded in.
    let tone = try Self.tone(20_001)
    #expect(Self.isNear(samples[9600..<40_002], Array(tone[9600...])))
    #expect(samples[40_002...].allSatisfy { $0 == 0 })
  }
}
