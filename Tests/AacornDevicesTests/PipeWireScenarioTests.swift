#if os(Linux)
import AacornSystem
import Simulation
import Testing

@testable import AacornDevices

/// Random faults of a simulated server, in all orders of threads.
@Suite(.simulated(seeds: 20, with: [.starvation, .clockChanges]), .needsSimulation)
struct PipeWireScenarioTests {
  private var numbers = Simulation.numbers

  private mutating func chance(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &numbers)
  }

  /// Returns a server with random devices, and sometimes an output that can replace an input.
  private mutating func makeServer(_ kind: String, isSink: Bool) -> SimulatedPipeWire {
    let quanta = (0..<3).map { _ in chance(5...100) }
    let latencies = (0..<3).map { _ in chance(0...60) }
    let hasOutput = !isSink && chance(0...1) == 0
    return SimulatedPipeWire(drift: Double(chance(-200...200))) { server in
      for index in 0..<2 {
        server.add(
          .init(
            "\(kind)\(index)", isSink: isSink, quantum: quanta[index], latency: latencies[index]))
      }
      if hasOutput { server.add(.init("spare", isSink: true, quantum: quanta[2])) }
    }
  }

  /// Does something to the server, and returns what undoes it.
  private mutating func disturb(_ server: SimulatedPipeWire, _ kind: String) -> () -> Void {
    let name = "\(kind)\(chance(0...1))"
    let other = "\(kind)\(chance(0...1))"
    switch chance(0...8) {
    case 0:
      server.kill()
      return { server.restart() }
    case 1:
      let removed = Set([name, other]).sorted().compactMap { server.node($0) }
      for node in removed { server.remove(node.name) }
      return {
        for node in removed where server.isRunning && server.node(node.name) == nil {
          server.add(
            .init(node.name, isSink: node.isSink, quantum: node.quantum, latency: node.latency))
        }
      }
    case 2:
      server.setDefault(name)
      return { server.setDefault(other) }
    case 3:
      server.freeze()
      return { server.thaw() }
    case 4:
      server.unlink(true)
      return { server.unlink(false) }
    case 5:
      server.node(name)?.nextOverrun += chance(1...900)
      return {}
    case 6:
      server.stallMilliseconds = chance(1...900)
      return {}
    case 7:
      server.emptyCycleCount = chance(1...9)
      return {}
    default:
      server.failStreams()
      return {}
    }
  }

  @Test mutating func everyFrameIsCapturedOnceOrReportedMissing() throws {
    let isMonitor = chance(0...3) == 0
    let kind = isMonitor ? "out" : "mic"
    let id = chance(0...1) == 0 ? nil : isMonitor ? "out0.monitor" : "mic0"
    let request = CaptureRequest(
      device: id.map { .pinned(id: $0) } ?? .followingDefault,
      sampleRate: [nil, 1000, 750, 1837][chance(0...3)])
    let run = try makeServer(kind, isSink: isMonitor).capture(request)
    let start = System.seconds
    for _ in 0..<chance(1...5) {
      run.read(seconds: Double(chance(0...1500)) / 1000)
      let undo = disturb(run.server, kind)
      run.read(seconds: Double(chance(0...2500)) / 1000)
      undo()
    }
    let isQuiet = chance(0...2) > 0
    if isQuiet { run.read(seconds: 6) }
    let stop = System.nanoseconds
    run.stop()
    let isResampled = request.sampleRate ?? 1000 != 1000
    run.expectExactFrames(
      tolerance: isResampled ? 3_000_000 : 100_000, rounding: isResampled ? 2 : 0,
      mayBeEmpty: !isQuiet)
    try expectGrammar(run.events.map { "\($0)" })
    #expect(Double(run.server.turnCount) < (System.seconds - start) * 100)
    guard isQuiet else { return }
    let last = try #require(run.blocks.last)
    #expect(last.end > stop - 600_000_000)
    #expect(last.isTimeReliable)
    #expect(run.source.device.map { id == nil || $0.id == id } == true)
  }

  @Test mutating func everyFrameIsPlayedOnceAndInOrder() throws {
    let id = chance(0...2) == 0 ? "sink0" : nil
    let request = PlaybackRequest(device: id.map { .pinned(id: $0) } ?? .followingDefault)
    let play = try makeServer("sink", isSink: true)
      .play(request, sampleRate: [1000, 750, 1837][chance(0...2)])
    let start = System.seconds
    for _ in 0..<chance(1...5) {
      play.play(seconds: Double(chance(0...1500)) / 1000)
      let undo = disturb(play.server, "sink")
      play.play(seconds: Double(chance(0...2500)) / 1000)
      undo()
    }
    let isQuiet = chance(0...2) > 0
    if isQuiet {
      play.play(seconds: 6)
      // A late thread states the time of a cycle that it has missed.
      for _ in 0..<10 where Simulation.maxDelay > 0 && abs(play.playedFrameError) > 3 {
        play.play(seconds: 0.1)
      }
      play.expectPlayedFrame()
    }
    play.stop()
    try expectGrammar(play.events.map { "\($0)" })
    let rendered = play.server.renderedNumbers
    for (frame, next) in zip(rendered, rendered.dropFirst()) { try #require(next == frame + 1) }
    #expect(Double(play.server.turnCount) < (System.seconds - start) * 100)
    if isQuiet { #expect(rendered.count > 3000) }
  }
}
#endif
