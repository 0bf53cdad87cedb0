#if os(Linux)
import AacornSystem
import Simulation
import Testing

@testable import AacornDevices

/// Random faults of a simulated server, in all orders of threads.
@Suite(
  .simulated(seeds: 40, with: [.starvation, .clockChanges]),
  .needsSimulation)
struct PulseAudioScenarioTests {
  private var numbers = Simulation.numbers

  private mutating func chance(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &numbers)
  }

  /// The devices of a server with random properties.
  private mutating func makeDevices(_ kind: String, isSink: Bool) -> (SimulatedPulse) -> Void {
    let latencies = (0..<2).map { _ in Int64(chance(1...150)) * 1_000_000 }
    let noise = Int64(chance(0...3)) * 1_000_000
    let falseReportInterval = [0, 0, 2, 5][chance(0...3)]
    return { server in
      server.falseReportInterval = falseReportInterval
      for index in 0..<2 {
        let device = SimulatedPulse.Device(
          "\(kind)\(index)", latency: latencies[index], isSink: isSink)
        device.reportNoise = noise
        server.add(device)
      }
    }
  }

  /// Does something to the server, and returns what undoes it.
  private mutating func disturb(_ server: SimulatedPulse, _ kind: String) -> () -> Void {
    let name = "\(kind)\(chance(0...1))"
    let other = "\(kind)\(chance(0...1))"
    switch chance(0...7) {
    case 0:
      server.kill()
      return { server.restart() }
    case 1:
      let isSilent = chance(0...1) == 0
      guard let device = server.device(name) else { return {} }
      server.remove(name, isSilent: isSilent)
      return {
        guard server.isRunning, server.device(name) == nil else { return }
        server.add(.init(name, latency: device.latency, isSink: device.isSink))
      }
    case 2:
      server.setDefault(name)
      return { server.setDefault(other) }
    case 3:
      server.suspend(name, true)
      return { server.suspend(name, false) }
    case 4:
      server.freeze()
      return { server.thaw() }
    case 5:
      server.device(name)?.holeFrameCount = chance(1...900)
      return {}
    case 6:
      server.stallMilliseconds = chance(1...900)
      return {}
    default:
      server.rejections["timing"] = 19
      return { server.rejections = [:] }
    }
  }

  @Test mutating func everyFrameIsCapturedOnceOrReportedMissing() throws {
    let name = chance(0...2) == 0 ? "mic0" : nil
    let request = CaptureRequest(
      device: name.map { .pinned(id: $0) } ?? .followingDefault,
      blockDuration: .milliseconds([5, 20, 50, 100, 500][chance(0...4)]))
    let run = try PulseRun(
      request, drift: Double(chance(-200...200)), makeDevices("mic", isSink: false))
    let start = System.seconds
    for _ in 0..<chance(1...5) {
      run.read(seconds: Double(chance(0...1500)) / 1000)
      let undo = disturb(run.server, "mic")
      run.read(seconds: Double(chance(0...2500)) / 1000)
      undo()
    }
    let isQuiet = chance(0...2) > 0
    if isQuiet { run.read(seconds: 6) }
    let stop = System.nanoseconds
    run.stop()
    run.expectExactFrames(tolerance: 8_000_000, mayBeEmpty: !isQuiet)
    try expectGrammar(run.events.map { "\($0)" })
    #expect(Double(run.server.turnCount) < (System.seconds - start) * 500)
    guard isQuiet else { return }
    let last = try #require(run.blocks.last)
    #expect(last.end > stop - 600_000_000)
    // A block may arrive between a contradicting report and the answer to the question about it.
    #expect(run.blocks.suffix(5).contains { $0.isTimeReliable })
  }

  @Test mutating func everyFrameIsPlayedOnceOrLostWithItsDevice() throws {
    let name = chance(0...2) == 0 ? "sink0" : nil
    let request = PlaybackRequest(
      device: name.map { .pinned(id: $0) } ?? .followingDefault,
      latency: .milliseconds([20, 100, 200, 1000][chance(0...3)]))
    let play = try PulsePlay(
      request, drift: Double(chance(-200...200)), makeDevices("sink", isSink: true))
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
      // While its thread does not run, the target cannot detect an underrun.
      for _ in 0..<10 where Simulation.maxDelay > 0 && abs(play.playedFrameError) > 10 {
        play.play(seconds: 0.1)
      }
      play.expectPlayedFrame(tolerance: 10)
    }
    play.stop()
    try expectGrammar(play.events.map { "\($0)" })
    let played = play.playedNumbers
    var gapCount = 0
    for (frame, next) in zip(played, played.dropFirst()) where next != frame + 1 {
      gapCount += 1
      try #require(next > frame)
    }
    #expect(gapCount <= play.events.count { $0 == .deviceReturned })
    #expect(Double(play.server.turnCount) < (System.seconds - start) * 500)
    if isQuiet { #expect(played.count > 3000) }
  }
}
#endif
