import AacornDevices
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

/// Sources that a second recording requests while the first one uses them.
@Suite(.simulated(seeds: 4, with: .all)) struct SharedSourceTests {
  private static let configuration = RecordingConfiguration.stereo(.float32)

  private static func device(_ name: String) -> SyntheticSource {
    SyntheticSource.test(pacing: .realTime, name: name)
  }

  private static func recording(
    of source: any CaptureSource, into log: RecordingLog
  ) throws -> RecordingSession {
    let session = log.session(configuration, hasTap: true)
    try session.start([TrackSource(TrackConfiguration("mic"), from: source)], outputs: [])
    #expect(eventually { log.soundCount > 0 })
    return session
  }

  private static func continues(_ log: RecordingLog) -> Bool {
    let count = log.soundCount
    return eventually { log.soundCount > count + 9600 }
  }

  @Test(arguments: [true, false])
  func failedStartLeavesSharedSourceRunning(isLeader: Bool) throws {
    let shared = Self.device("shared")
    let log = RecordingLog()
    let first = try Self.recording(of: shared, into: log)
    let own = Self.device("own")
    let sources = isLeader ? [shared, own] : [own, shared]
    let second = RecordingSession(Self.configuration)
    #expect(throws: RecordingError.capture(.alreadyRunning(id: "shared"))) {
      try second.start(
        sources.enumerated().map { index, source in
          TrackSource(TrackConfiguration("track \(index)"), from: source)
        }, outputs: [])
    }
    #expect(Self.continues(log))
    // The second recording released its own source, which is available again.
    let third = try Self.recording(of: own, into: RecordingLog())
    third.stop()
    _ = try finalSummary(of: third)
    first.stop()
    let summary = try finalSummary(of: first)
    #expect(summary.failure == nil && summary.sampleCount > 4800)
  }

  @Test func aRecordingThatFailsOtherwiseLeavesASourceToAnotherOneToo() throws {
    let shared = Self.device("shared")
    let log = RecordingLog()
    let first = try Self.recording(of: shared, into: log)
    let second = RecordingSession(Self.configuration)
    #expect(throws: RecordingError.capture(.deviceBusy(id: "absent"))) {
      try second.start(
        [
          TrackSource(TrackConfiguration("a"), from: shared),
          TrackSource(TrackConfiguration("b"), from: FailingSource()),
        ], outputs: [])
    }
    #expect(Self.continues(log))
    first.stop()
    _ = try finalSummary(of: first)
  }

  @Test func samplesThatArePushedIntoARecordingThatDoesNotBeginAreRefused() throws {
    let pushed = PushSource(sampleRate: 48_000, channelCount: 2)
    let session = RecordingSession(Self.configuration)
    #expect(throws: RecordingError.capture(.deviceBusy(id: "absent"))) {
      try session.start(
        [
          TrackSource(TrackConfiguration("a"), from: pushed),
          TrackSource(TrackConfiguration("b"), from: FailingSource()),
        ], outputs: [])
    }
    #expect(pushed.isClosed)
  }
}
