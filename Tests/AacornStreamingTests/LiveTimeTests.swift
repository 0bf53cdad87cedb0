import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// The default time limits of a live output, exactly.
@Suite(.simulated(seeds: 3)) struct LiveTimeTests {
  /// Waits for a state, and returns its time in seconds.
  private func time(
    of state: LiveState, in bench: LiveBench, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Double {
    let index = try #require(
      bench.wait { $0.states.withLock { $0.contains(state) } }
        ? bench.states.withLock { $0.firstIndex(of: state) } : nil, sourceLocation: sourceLocation)
    return bench.stateTimes.withLock { $0[index] }
  }

  private func expect(
    _ seconds: Double, _ wanted: Double, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      (wanted - 0.001..<wanted + 0.002).contains(seconds), comment, sourceLocation: sourceLocation)
  }

  @Test func connectionsAndSendsTimeOut() throws {
    let bench = LiveBench(LiveOptions())
    bench.server.withScript { script in
      script.connectFaults = [.hangs]
      script.sendFaults[1] = (afterCalls: 0, fault: .hangs)
    }
    try bench.begin()
    try bench.write(1)
    let error = NetworkError(.timeout, "The scripted server does not answer.")
    let first = try time(of: .reconnecting(error, attempt: 1), in: bench)
    let second = try time(of: .reconnecting(error, attempt: 2), in: bench)
    let connections = bench.server.connections
    expect(first - connections[0].begin, 10)
    expect(second - connections[1].begin, 10)
  }

  @Test func reconnectionsBecomeRare() throws {
    let bench = LiveBench(LiveOptions())
    bench.server.withScript {
      $0.connectFaults = [MockServer.Fault?](repeating: .fails(.gone), count: 40)
    }
    try bench.begin()
    for count in 1...41 { #expect(bench.wait { $0.server.connections.count >= count }) }
    let begins = bench.server.connections.map(\.begin)
    var delay = 0.5
    for (begin, next) in zip(begins, begins.dropFirst()) {
      // The sum of the delays is slightly less than the time.
      let limit = begin - begins[0] < 120 ? 5.0 : 30
      #expect(
        next - begin > 0.75 * min(delay, limit) - 0.002
          && next - begin < min(limit, 1.25 * delay) + 0.002)
      delay = min(limit, 2 * delay)
    }
    #expect(delay == 30)
  }

  /// Outages of less than two minutes: the server refuses connections, then returns.
  @Test(arguments: [1, 4, 10, 15, 29, 45, 60, 75, 90, 105, 118])
  func connectionReturnsWithinFiveSecondsOfTheServer(seconds: Int) throws {
    let bench = LiveBench(LiveOptions())
    bench.server.withScript { $0.sendFaults[0] = (afterCalls: 1, fault: .fails(.gone)) }
    try bench.begin()
    #expect(bench.waitUntilLive())
    // A stable connection precedes the outage.
    System.sleep(milliseconds: 61_000)
    bench.server.withScript {
      $0.connectFaults = [nil] + [MockServer.Fault?](repeating: .fails(.gone), count: 1000)
    }
    try bench.write(2)
    #expect(bench.wait { $0.status.state != .live })
    System.sleep(milliseconds: 1000 * seconds)
    #expect(bench.status.state != .live)
    bench.server.withScript { $0.connectFaults = [] }
    let returnTime = System.seconds
    #expect(bench.waitUntilLive())
    let live = try #require(bench.stateTimes.withLock(\.last))
    #expect(live - returnTime < 5.01)
  }

  @Test(arguments: [59_990, 60_010]) func aMinuteIsAStableConnection(milliseconds: Int) throws {
    let bench = LiveBench(LiveOptions())
    bench.server.withScript { script in
      script.connectFaults = [.fails(.gone)]
      script.sendFaults[1] = (afterCalls: 0, fault: .fails(.gone))
    }
    try bench.begin()
    #expect(bench.waitUntilLive())
    let live = try #require(bench.stateTimes.withLock(\.last))
    System.sleep(milliseconds: milliseconds - Int((System.seconds - live) * 1000))
    try bench.write(1)
    #expect(bench.wait { $0.status.sentFrameCount == 1 })
    let attempts = bench.states.withLock { $0 }.compactMap { state in
      if case .reconnecting(_, let attempt) = state { attempt } else { nil }
    }
    #expect(attempts == [1, milliseconds < 60_000 ? 2 : 1])
  }

  @Test func tenSecondsWait() throws {
    let bench = LiveBench(LiveOptions())
    bench.server.withScript { $0.connectFaults = [.hangs] }
    try bench.begin()
    // 468 frames are 9.984 s.
    try bench.write(468)
    #expect(bench.status.droppedFrameCount == 0)
    try bench.write(1)
    #expect(bench.status.droppedFrameCount == 1)
    #expect(bench.status.queuedDuration == .milliseconds(9984))
  }

  /// The moment of a stop.
  ///
  /// The lookup of a name does not end with the signal.
  enum Moment: CaseIterable, Sendable {
    case connecting, connectingWithoutFrames, lookup, opening, sending, waiting, idle
  }

  @Test(arguments: Moment.allCases) func stopTakesTheTimeForTheQueue(moment: Moment) throws {
    let bench = LiveBench(LiveOptions()) { options in
      options.stallTimeout = .seconds(100)
      options.connectTimeout = .seconds(100)
      options.initialReconnectDelay = .seconds(600)
      options.maxReconnectDelay = .seconds(600)
    }
    bench.server.withScript { script in
      switch moment {
      case .connecting, .connectingWithoutFrames: script.connectFaults = [.hangs]
      case .lookup: script.connectFaults = [.ignores(seconds: 100)]
      case .sending: script.sendFaults[0] = (afterCalls: 0, fault: .hangs)
      case .waiting: script.connectFaults = [.fails(.gone)]
      case .opening, .idle: break
      }
    }
    bench.service.script.withLock { $0.waitsForServer = moment == .opening }
    try bench.begin()
    if moment != .connectingWithoutFrames && moment != .idle { try bench.write(3) }
    System.sleep(milliseconds: 1000)
    let start = System.seconds
    #expect(bench.output.abandon()?.sampleCount == 0)
    let duration = System.seconds - start
    let name = bench.output.name
    let (seconds, droppedCount, state): (Double, Int, LiveState) =
      switch moment {
      case .connecting: (3, 3, .failed(.unreached(name)))
      case .opening: (3, 3, .failed(.unanswered(name)))
      // The output may close the connection for another second.
      case .lookup: (4, 3, .failed(.unreached(name)))
      case .sending: (4, 3, .failed(.untaken(name)))
      case .waiting: (0, 3, .failed(.gone))
      case .connectingWithoutFrames, .idle: (0, 0, .stopped)
      }
    expect(duration, seconds)
    #expect(bench.status.droppedFrameCount == droppedCount)
    #expect(bench.status.state == state && bench.states.withLock(\.last) == state)
    #expect(moment == .lookup || bench.server.connections.allSatisfy(\.isClosed))
    let words = "“\(name)” accepted the connection but did not answer"
    #expect(NetworkError.unanswered(name).message.contains(words))
  }

  /// A newer title waits as long as the refused one, and success resets the interval.
  @Test func refusedTitlesAreSentAgainAtGrowingIntervals() throws {
    let bench = LiveBench(LiveOptions(), sendsMetadataSeparately: true)
    bench.service.script.withLock {
      $0.updateErrors = [NetworkError?](repeating: .gone, count: 6) + [nil, .gone]
    }
    try bench.begin()
    #expect(bench.waitUntilLive())
    bench.output.connection.update(LiveMetadata(title: "Fugue"))
    #expect(bench.wait { $0.status.metadataError == .gone })
    var last = System.seconds
    for (count, delay) in zip(2..., [5.0, 10, 20, 40, 60, 60, 0, 5]) {
      if count % 2 == 0 { bench.output.connection.update(LiveMetadata(title: "\(count)")) }
      #expect(bench.wait { $0.service.script.withLock { $0.updates.count } == count })
      // Each delay is random by a quarter. The connection looks for titles ten times a second, and
      // this test twenty times.
      let limits = 0.75 * delay - 0.11..<min(60, 1.25 * delay) + 0.16
      #expect(limits.contains(System.seconds - last))
      last = System.seconds
    }
    #expect(bench.wait { $0.status.metadataError == nil })
    let titles = bench.service.script.withLock { $0.updates.map(\.title) }
    #expect(titles == ["Fugue", "2", "2", "4", "4", "6", "6", "8", "8"])
  }

  @Test func anIdleConnectionWakesUpTenTimesASecond() throws {
    let bench = LiveBench()
    try bench.begin()
    #expect(bench.waitUntilLive())
    let before = (bench.service.script.withLock(\.attentionCount), Simulation.wakeUpCount)
    System.sleep(milliseconds: 10_000)
    #expect((99...100).contains(bench.service.script.withLock(\.attentionCount) - before.0))
    #expect((99...101).contains(Simulation.wakeUpCount - before.1))
  }

  /// Messages are handled in time even if there are always frames to send.
  @Test func aBusyConnectionHandlesMessagesTenTimesASecond() throws {
    let bench = LiveBench()
    bench.server.withScript { $0.sendDelay = 30 }
    try bench.begin()
    try bench.write(300)
    #expect(bench.wait { $0.status.sentFrameCount == 300 })
    // After each fourth frame of 30 ms, 100 ms have passed.
    #expect((74...76).contains(bench.service.script.withLock(\.attentionCount)))
  }
}
