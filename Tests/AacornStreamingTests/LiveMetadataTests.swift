import AacornSystem
import Simulation
import Testing

@testable import AacornStreaming

@Suite(.simulated(seeds: 4, with: .all)) struct LiveMetadataTests {
  @Test func artistAndTitleAreOneLine() {
    #expect(LiveMetadata(title: "Prelude", artist: "Anna").line == "Anna - Prelude")
    #expect(LiveMetadata(title: "Prelude").line == "Prelude")
    #expect(LiveMetadata(artist: "Anna").line == "Anna")
    #expect(LiveMetadata().line == nil)
  }
}

/// Failing metadata updates.
@Suite(.simulated(seeds: 4, with: .all)) struct LiveMetadataFailureTests {
  private static let title = LiveMetadata(title: "Fugue")

  @Test func titleIsResentUntilAccepted() throws {
    let bench = LiveBench(sendsMetadataSeparately: true) { $0.metadataDelay = .milliseconds(1) }
    bench.service.script.withLock { $0.updateErrors = [.gone, .wrongPassword] }
    try bench.begin()
    #expect(bench.waitUntilLive())
    bench.output.connection.update(Self.title)
    #expect(bench.wait { $0.service.script.withLock { $0.updates.count == 3 } })
    #expect(bench.wait { $0.status.metadataError == nil })
    #expect(bench.service.script.withLock(\.updates) == [Self.title, Self.title, Self.title])
    try bench.write(5)
    #expect(bench.wait { $0.status.sentFrameCount == 5 })
    #expect(bench.server.connections.count == 1)
    #expect(bench.service.script.withLock { $0.updates.count } == 3)
  }

  @Test func titleThatFailsHoldsNoFramesUp() throws {
    let bench = LiveBench(sendsMetadataSeparately: true) {
      $0.metadataDelay = .milliseconds(600_000)
    }
    bench.service.script.withLock { $0.updateErrors = [.wrongPassword] }
    try bench.begin()
    #expect(bench.waitUntilLive())
    bench.output.connection.update(Self.title)
    #expect(bench.wait { $0.status.metadataError == .wrongPassword })
    try bench.write(5)
    #expect(bench.wait { $0.status.sentFrameCount == 5 })
    #expect(bench.status.state == .live)
    #expect(bench.service.script.withLock { $0.updates.count } == 1)
  }

  @Test func overTheSameConnectionAFailureIsABreak() throws {
    let bench = LiveBench()
    bench.service.script.withLock { $0.updateErrors = [.gone] }
    try bench.begin()
    #expect(bench.waitUntilLive())
    bench.output.connection.update(Self.title)
    #expect(bench.wait { $0.status.reconnectCount == 1 })
    #expect(bench.status.metadataError == nil)
    #expect(bench.service.script.withLock { $0.streams.last?.metadata } == Self.title)
  }
}
