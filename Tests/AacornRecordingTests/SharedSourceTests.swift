import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

/// Sources that a second recording requests while the first one uses them.
@Suite(.simulated(seeds: 4, with: .all)) struct SharedSourceTests {
  private static let counter = CounterSignal(sampleRate: 48_000, channelCount: 2)

  private static func configuration() -> RecordingConfiguration {
    RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .float32)
  }

  private static func device(_ name: String) -> SyntheticSource {
    SyntheticSource(
      CaptureDevice(backend: .synthetic, id: name, name: name), playing: counter)
  }

  /// The number of samples that a recording has delivered.
  private final class Log: Sendable {
    private let state = Lock(0)

    var count: Int { state.withLock(\.self) }

    func session(_ configuration: RecordingConfiguration) -> RecordingSession {
      RecordingSession(
        configuration,
        sound: { sound in
          let count = sound.count
          self.state.withLock { $0 += count }
        })
    }
  }

  /// A running recording of a source without end.
  private static func recording(
    of source: any CaptureSource, into log: Log
  ) throws -> RecordingSession {
    let session = log.session(configuration())
    try session.start([TrackSource(TrackConfiguration("mic"), from: source)], outputs: [])
    #expect(eventually { log.count > 0 })
    return session
  }

  /// Whether a recording continues to deliver samples.
  private static func continues(_ log: Log) -> Bool {
    let count = log.count
    return eventually { log.count > count + 9600 }
  }

  @Test(arguments: [true, false])
  func failedStartLeavesSharedSourceRunning(isLeader: Bool) throws {
    let shared = Self.device("shared")
    let log = Log()
    let first = try Self.recording(of: shared, into: log)
    let own = Self.device("own")
    let sources = isLeader ? [shared, own] : [own, shared]
    let second = RecordingSession(Self.configuration())
    #expect(throws: RecordingError.capture(.alreadyRunning(id: "shared"))) {
      try second.start(
        sources.enumerated().map { index, source in
          TrackSource(TrackConfiguration("track \(index)"), from: source)
        }, outputs: [])
    }
    #expect(Self.continues(log))
    // The second recording released its own source, which is available again.
    let third = try Self.recording(of: own, into: Log())
    third.stop()
    _ = try finalSummary(of: third)
    first.stop()
    let summary = try finalSummary(of: first)
    #expect(summary.failure == nil && summary.sampleCount > 4800)
  }

  @Test func aRecordingThatFailsOtherwiseLeavesASourceToAnotherOneToo() throws {
    let shared = Self.device("shared")
    let log = Log()
    let first = try Self.recording(of: shared, into: log)
    let second = RecordingSession(Self.configuration())
    #expect(throws: RecordingError.capture(.deviceBusy(id: "absent"))) {
      try second.start(
        [
          TrackSource(TrackConfiguration("a"), from: shared),
          TrackSource(TrackConfiguration("b"), from: AbsentSource()),
        ], outputs: [])
    }
    #expect(Self.continues(log))
    first.stop()
    _ = try finalSummary(of: first)
  }

  @Test func samplesThatArePushedIntoARecordingThatDoesNotBeginAreRefused() throws {
    let pushed = PushSource(sampleRate: 48_000, channelCount: 2)
    let session = RecordingSession(Self.configuration())
    #expect(throws: RecordingError.capture(.deviceBusy(id: "absent"))) {
      try session.start(
        [
          TrackSource(TrackConfiguration("a"), from: pushed),
          TrackSource(TrackConfiguration("b"), from: AbsentSource()),
        ], outputs: [])
    }
    #expect(pushed.isClosed)
  }
}
