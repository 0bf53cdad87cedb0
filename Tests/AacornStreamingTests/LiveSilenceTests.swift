import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// Servers that send endlessly.
@Suite(.simulated(seeds: 4, with: .all)) struct LiveSilenceTests {
  /// Expects that the output reports the flood of each of three connections to a real server.
  private func expectFloods(
    _ behavior: MisbehavingServer.Behavior, to service: (NetworkEndpoint) -> any LiveService
  ) throws {
    let server = try MisbehavingServer(behavior)
    defer { server.stop() }
    var endpoint = NetworkEndpoint(host: "127.0.0.1", port: server.port)
    endpoint.proxy = ""
    let service = service(endpoint)
    let states = Lock<[LiveState]>([])
    var output = LiveOutput(
      service, LiveBench.longTimeouts, states: { state in states.withLock { $0.append(state) } })
    defer { _ = output.abandon() }
    try output.begin(LiveBench.start())
    try output.write(EncodedPacket(bytes: [1, 2, 3], position: 0, sampleCount: 1024))
    func errors() -> [NetworkError] {
      states.withLock { $0.map(\.self) }.compactMap { state in
        if case .reconnecting(let error, _) = state { error } else { nil }
      }
    }
    #expect(eventually { errors().count >= 3 })
    let reason = NetworkError.flooding(service.name)
    #expect(errors().allSatisfy { $0 == reason })
    #expect(reason.message.contains(service.name) && !reason.message.contains("s3cret"))
  }

  @Test(.realTime, arguments: [MisbehavingServer.Behavior.pings, .windows, .tinyChunks, .calls])
  func floodingRTMPServerFails(behavior: MisbehavingServer.Behavior) throws {
    try expectFloods(behavior) { endpoint in
      var configuration = RTMPConfiguration(
        endpoint: endpoint, application: "live", streamKey: "s3cret")
      configuration.answerTimeout = .seconds(600)
      return RTMPService(configuration)
    }
  }

  @Test(.realTime, arguments: [MisbehavingServer.Behavior.continues, .acceptances])
  func floodingIcecastServerFails(behavior: MisbehavingServer.Behavior) throws {
    try expectFloods(behavior) { endpoint in
      var configuration = IcecastConfiguration(
        endpoint: endpoint, mount: "/live.aac", password: "s3cret")
      configuration.answerTimeout = .seconds(600)
      return IcecastService(configuration)
    }
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
