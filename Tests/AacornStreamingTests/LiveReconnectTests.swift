import AacornDevices
import AacornNetwork
import AacornSystem
import DeviceRigs
import Simulation
import Testing

@testable import AacornRecording
@testable import AacornStreaming

@Suite(.simulated(seeds: 4, with: [.starvation, .clockChanges])) struct LiveReconnectTests {
  @Test func closedConnectionIsDetectedWithoutFrames() throws {
    let bench = LiveBench()
    bench.server.withScript { $0.closesAfterAnswers = true }
    try bench.begin()
    #expect(bench.wait { $0.status.reconnectCount >= 2 })
  }

  @Test func stableConnectionResetsTheCounter() throws {
    let bench = LiveBench { ($0.stableDuration, $0.attemptLimit) = (.zero, 2) }
    // More connections break than attempts are allowed in a row.
    bench.server.withScript { script in
      for number in 0..<20 { script.sendFaults[number] = (afterCalls: 1, fault: .fails(.gone)) }
    }
    try bench.begin()
    try bench.write(30)
    #expect(bench.wait { $0.sentNumbers.count == 30 })
    #expect(bench.status.reconnectCount == 20)
    let firstAttempts = bench.states.withLock { $0 }.filter {
      $0 == .reconnecting(.gone, attempt: 1)
    }
    #expect(firstAttempts.count == 20)
  }

  @Test func firstFrameSurvivesInitialConnectFailures() throws {
    let bench = LiveBench()
    bench.server.withScript { $0.connectFaults = [.fails(.gone), .fails(.gone)] }
    try bench.begin()
    try bench.write(5)
    #expect(bench.wait { $0.sentNumbers.count == 5 })
    #expect(bench.sentNumbers == [0, 1, 2, 3, 4])
    // A first connection is not a reconnection.
    #expect(bench.status.reconnectCount == 0)
  }

  @Test func afterTooManyAttemptsItFails() throws {
    let bench = LiveBench { $0.attemptLimit = 2 }
    bench.server.withScript { $0.connectFaults = [Fault](repeating: .fails(.gone), count: 100) }
    try bench.begin()
    #expect(bench.wait { $0.output.connection.failure != nil })
    #expect(bench.server.connections.count == 3)
    let error = #expect(throws: OutputError.self) { try bench.write(1) }
    #expect(error?.kind == .connection)
    #expect(error?.message == "The connection is lost. Gave up after 2 attempts to reconnect.")
    #expect(bench.output.abandon() != nil)
  }

  @Test func permanentErrorFailsImmediately() throws {
    let bench = LiveBench()
    bench.service.script.withLock { $0.openErrors = [.wrongPassword] }
    try bench.begin()
    #expect(bench.wait { $0.status.state == .failed(.wrongPassword) })
    #expect(bench.server.connections.map(\.isClosed) == [true])
    for _ in 0..<2 {
      let error = #expect(throws: OutputError.self) { try bench.write(1) }
      #expect(error == OutputError(.connection, NetworkError.wrongPassword.message))
    }
    #expect(throws: OutputError.self) {
      try bench.output.end(LiveBench.end)
    }
    #expect(bench.output.abandon()?.sampleCount == 0)
    #expect(bench.states.withLock { $0 } == [.connecting, .failed(.wrongPassword)])
  }

  @Test(arguments: [
    NetworkError.wrongPassword, NetworkError(.forbidden, "No."),
    NetworkError(.notFound, "No."), NetworkError(.certificate, "No."),
  ])
  func rejectionAfterLiveIsRetried(rejection: NetworkError) throws {
    let bench = LiveBench()
    bench.server.withScript { $0.sendFaults[0] = (afterCalls: 3, fault: .fails(.gone)) }
    bench.service.script.withLock { $0.openErrors = [nil, rejection, rejection] }
    try bench.begin()
    try bench.write(10)
    #expect(bench.wait { $0.sentNumbers.count == 10 })
    #expect(bench.sentNumbers == Array(0..<10))
    #expect(
      bench.states.withLock { $0 } == [
        .connecting, .live, .reconnecting(.gone, attempt: 1), .reconnecting(rejection, attempt: 2),
        .reconnecting(rejection, attempt: 3), .live,
      ])
  }

  @Test func rejectionAfterLiveFailsAtAttemptLimit() throws {
    let bench = LiveBench { $0.attemptLimit = 2 }
    bench.server.withScript { $0.sendFaults[0] = (afterCalls: 3, fault: .fails(.gone)) }
    bench.service.script.withLock {
      $0.openErrors = [nil] + [NetworkError?](repeating: .wrongPassword, count: 100)
    }
    try bench.begin()
    bench.writeUntilFailure(10)
    #expect(bench.wait { $0.output.connection.failure != nil })
    #expect(bench.server.connections.count == 3)
  }

  @Test func missingLibraryFailsEvenAfterLive() throws {
    let error = NetworkError(.libraryMissing, "No.")
    let bench = LiveBench()
    bench.server.withScript { $0.sendFaults[0] = (afterCalls: 3, fault: .fails(error)) }
    try bench.begin()
    bench.writeUntilFailure(10)
    #expect(bench.wait { $0.status.state == .failed(error) })
    #expect(bench.server.connections.count == 1)
  }

  @Test func failureTouchesOnlyThisOutput() throws {
    let good = LiveBench()
    let bad = LiveBench()
    bad.service.script.withLock { $0.openErrors = [.wrongPassword] }
    let events = Lock<[RecorderEvent]>([])
    let packets = Lock<[EncodedPacket]>([])
    let session = RecordingSession(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2)
    ) { event in
      events.withLock { $0.append(event) }
    } packets: { packet in
      packets.withLock { $0.append(packet) }
    }
    let source = SyntheticSource(
      Device(backend: .synthetic, id: "test", name: "Test"),
      playing: SyntheticExcerpt(
        of: CounterSignal(sampleRate: 48_000, channelCount: 2), frameCount: 96_000),
      pacing: .realTime)
    try session.start(source, outputs: [bad.output, good.output])
    #expect(good.wait { _ in session.wait(for: .milliseconds(100)) != nil })
    let summary = try #require(session.summary)
    #expect(summary.failure == nil)
    #expect(summary.sampleCount == 96_000)
    let failures = events.withLock { $0 }.compactMap { event in
      if case .outputFailed(let name, let error) = event { (name, error.kind) } else { nil }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.1 == .connection)
    let sent = good.frames.flatMap { $0 }
    #expect(sent.count >= 94)
    #expect(sent.map(\.bytes) == packets.withLock { $0.map(\.bytes) })
    #expect(sent.map(\.position) == sent.indices.map { 1024 * $0 })
    #expect(good.status.state == .stopped)
  }

  private typealias Fault = MockServer.Fault?
}
