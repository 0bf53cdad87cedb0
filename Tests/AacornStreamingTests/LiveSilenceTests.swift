import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming
@testable import AacornWeb

/// Servers that accept connections but no audio.
@Suite(.simulated(seeds: 4, with: .all)) struct LiveSilenceTests {
  private static var shortTimeouts: LiveOptions {
    var options = LiveBench.longTimeouts
    options.drainTimeout = .milliseconds(50)
    return options
  }

  // MARK: - The end of a stream that the server did not accept

  @Test func serverAcceptingNoAudioFailsAtEnd() throws {
    let bench = LiveBench(Self.shortTimeouts)
    bench.server.withScript { $0.sendFaults[0] = (afterCalls: 0, fault: .hangs) }
    try bench.begin()
    try bench.write(3)
    #expect(bench.wait { $0.service.script.withLock { $0.sendCount == 1 } })
    _ = bench.output.abandon()
    #expect(
      bench.states.withLock { $0 } == [.connecting, .live, .failed(.untaken(bench.output.name))])
  }

  @Test func serverAcceptingOneFrameDoesNotFail() throws {
    let bench = LiveBench(Self.shortTimeouts)
    bench.server.withScript { $0.sendFaults[0] = (afterCalls: 1, fault: .hangs) }
    try bench.begin()
    try bench.write(100)
    #expect(bench.wait { $0.service.script.withLock { $0.sendCount == 2 } })
    _ = bench.output.abandon()
    #expect(bench.status.state == .stopped)
    #expect(bench.status.sentFrameCount == 1 && bench.status.droppedFrameCount == 99)
  }

  @Test func streamWithoutFramesDoesNotFail() throws {
    let bench = LiveBench(Self.shortTimeouts)
    bench.service.script.withLock { $0.waitsForServer = true }
    try bench.begin()
    #expect(bench.wait { $0.service.script.withLock { !$0.streams.isEmpty } })
    _ = bench.output.abandon()
    #expect(bench.status.state == .stopped)
  }

  @Test func framesThatCameBackWereNotTaken() throws {
    var options = Self.shortTimeouts
    options.initialReconnectDelay = .seconds(600)
    options.maxReconnectDelay = .seconds(600)
    let bench = LiveBench(options)
    bench.server.withScript { script in
      script.sendFaults[0] = (afterCalls: 2, fault: .fails(.gone))
      script.unacknowledged[0] = 1000
    }
    try bench.begin()
    try bench.write(3)
    #expect(bench.wait { $0.status.state == .reconnecting(.gone, attempt: 1) })
    _ = bench.output.abandon()
    #expect(bench.status.state == .failed(.gone))
    #expect(bench.status.sentFrameCount == 0 && bench.status.droppedFrameCount == 3)
  }

  // MARK: - Endless silence and endless data

  /// An output to a real server on this computer, and its states.
  private final class Broadcast {
    let states = Lock<[LiveState]>([])
    var output: LiveOutput

    init(_ service: any LiveService) throws {
      let states = states
      output = LiveOutput(
        service, LiveBench.longTimeouts, states: { state in states.withLock { $0.append(state) } })
      try output.begin(LiveBench.start())
      try output.write(EncodedPacket(bytes: [1, 2, 3], position: 0, sampleCount: 1024))
    }

    deinit { _ = output.abandon() }

    /// Returns the errors of the first `count` attempts, or fewer after a timeout.
    func errors(_ count: Int) -> [NetworkError] {
      let deadline = System.seconds + TestTimeout.seconds
      while true {
        let states = states.withLock { $0.map(\.self) }
        let errors = states.compactMap { state -> NetworkError? in
          if case .reconnecting(let error, _) = state { error } else { nil }
        }
        if errors.count >= count || System.seconds > deadline {
          return Array(errors.prefix(count))
        }
        System.sleep(milliseconds: 1)
      }
    }
  }

  private static func endpoint(_ server: MisbehavingServer) -> NetworkEndpoint {
    var endpoint = NetworkEndpoint(host: "127.0.0.1", port: server.port)
    endpoint.proxy = ""
    return endpoint
  }

  private static func rtmp(_ server: MisbehavingServer, timeoutMilliseconds: Int) -> RTMPService {
    var configuration = RTMPConfiguration(
      endpoint: endpoint(server), application: "live", streamKey: "s3cret")
    configuration.answerTimeout = .milliseconds(timeoutMilliseconds)
    return RTMPService(configuration)
  }

  private static func icecast(
    _ server: MisbehavingServer, timeoutMilliseconds: Int
  ) -> IcecastService {
    var configuration = IcecastConfiguration(
      endpoint: endpoint(server), mount: "/live.aac", password: "s3cret")
    configuration.answerTimeout = .milliseconds(timeoutMilliseconds)
    return IcecastService(configuration)
  }

  @Test(
    .realTime,
    arguments: [
      MisbehavingServer.Behavior.silent, .silentAfterHandshake, .silentAfterConnect,
      .silentAfterCreate,
    ])
  func silentRTMPServerTimesOutAtEveryStep(behavior: MisbehavingServer.Behavior) throws {
    let server = try MisbehavingServer(behavior)
    defer { server.stop() }
    let broadcast = try Broadcast(Self.rtmp(server, timeoutMilliseconds: 100))
    let errors = broadcast.errors(3)
    #expect(errors.map(\.kind) == [.timeout, .timeout, .timeout])
    #expect(errors.allSatisfy { $0.message.contains("“rtmp://127.0.0.1:\(server.port)/live") })
    #expect(server.connectionCount >= 2)
    #expect(broadcast.output.connection.status.sentFrameCount == 0)
  }

  @Test(.realTime) func silentIcecastServerTimesOut() throws {
    let server = try MisbehavingServer(.silent)
    defer { server.stop() }
    let broadcast = try Broadcast(Self.icecast(server, timeoutMilliseconds: 100))
    let errors = broadcast.errors(3)
    #expect(errors.map(\.kind) == [.timeout, .timeout, .timeout])
    #expect(
      errors[0].message.contains("icecast://127.0.0.1:\(server.port)/live.aac does not answer"))
  }

  @Test(.realTime, arguments: [MisbehavingServer.Behavior.pings, .windows, .tinyChunks, .calls])
  func floodingRTMPServerFails(behavior: MisbehavingServer.Behavior) throws {
    let server = try MisbehavingServer(behavior)
    defer { server.stop() }
    let service = Self.rtmp(server, timeoutMilliseconds: 600_000)
    let broadcast = try Broadcast(service)
    let reason = NetworkError.flooding(service.name)
    #expect(broadcast.errors(3) == [reason, reason, reason])
    #expect(reason.message.contains(service.name) && !reason.message.contains("s3cret"))
  }

  @Test(.realTime, arguments: [MisbehavingServer.Behavior.continues, .acceptances])
  func floodingIcecastServerFails(behavior: MisbehavingServer.Behavior) throws {
    let server = try MisbehavingServer(behavior)
    defer { server.stop() }
    let service = Self.icecast(server, timeoutMilliseconds: 600_000)
    let broadcast = try Broadcast(service)
    let reason = NetworkError.flooding(service.name)
    #expect(broadcast.errors(3) == [reason, reason, reason])
  }

  @Test func typicalServerOutputIsTolerated() throws {
    let bench = LiveBench()
    // More bytes than any server sends when it accepts a stream.
    bench.server.answers = [[UInt8]](repeating: [UInt8](repeating: 1, count: 4096), count: 10)
    try bench.begin()
    #expect(bench.waitUntilLive())
    #expect(bench.wait { $0.service.script.withLock { $0.attentionCount >= 11 } })
    #expect(bench.status.state == .live && bench.status.reconnectCount == 0)
  }
}
