import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// A bitrate that follows the throughput of live outputs.
@Suite(.simulated(seeds: 4, with: .all)) struct AdaptiveBitrateTests {
  /// The changes and the requests of a bitrate.
  private final class Log: Sendable {
    let changes = Lock<[BitrateChange]>([])
    let requestedBitrates = Lock<[Int]>([])

    /// Creates a bitrate between 32 and 128 kb/s that starts at the maximum.
    func bitrate() -> AdaptiveBitrate {
      let bitrate = AdaptiveBitrate(32_000...128_000, from: 128_000) { [changes] change in
        changes.withLock { $0.append(change) }
      }
      bitrate.drive { [requestedBitrates] requested in
        requestedBitrates.withLock { $0.append(requested) }
      }
      return bitrate
    }

    var all: [BitrateChange] { changes.withLock { $0.map(\.self) } }
    var allRequestedBitrates: [Int] { requestedBitrates.withLock { $0.map(\.self) } }
  }

  private static let first = BitrateChange(from: 128_000, to: 38_000, because: .queueGrew)

  /// Blocks sending, with one frame in transit.
  private func hold(_ bench: LiveBench) throws {
    #expect(bench.waitUntilLive())
    bench.service.script.withLock { $0.isHeld = true }
    let count = bench.service.script.withLock(\.sendCount)
    try bench.write(1)
    #expect(bench.wait { $0.service.script.withLock(\.sendCount) == count + 1 })
  }

  /// Writes frames one by one, each after the previous one was sent.
  private func writeSlowly(_ count: Int, to bench: LiveBench) throws {
    for _ in 0..<count {
      try bench.write(1)
      #expect(bench.wait { $0.status.queuedFrameCount == 0 })
    }
  }

  @Test func stalledServerLowersBitrate() throws {
    let log = Log()
    let bitrate = log.bitrate()
    let bench = LiveBench(bitrate: bitrate)
    try bench.begin()
    #expect(bench.waitUntilLive())
    try writeSlowly(200, to: bench)
    #expect(log.all.isEmpty)
    try hold(bench)
    // Each frame lasts about 21 ms.
    try bench.write(140)
    #expect(log.all == [Self.first])
    try bench.write(400)
    #expect(log.all == [Self.first, BitrateChange(from: 38_000, to: 32_000, because: .queueGrew)])
    #expect(log.allRequestedBitrates == [128_000, 38_000, 32_000])
    #expect(bitrate.bitrate == 32_000)
    bench.service.script.withLock { $0.isHeld = false }
    #expect(bench.wait { $0.status.queuedFrameCount == 0 })
    // Ten seconds without a queue.
    try writeSlowly(440, to: bench)
    #expect(log.all.count == 2)
    try writeSlowly(100, to: bench)
    #expect(log.all.last == BitrateChange(from: 32_000, to: 36_000, because: .queueEmpty))
    #expect(bench.status.droppedFrameCount == 0)
  }

  @Test func droppedFramesLowerBitrate() throws {
    var options = LiveBench.longTimeouts
    options.queueDuration = .milliseconds(500)
    let log = Log()
    let bench = LiveBench(options, bitrate: log.bitrate())
    try bench.begin()
    try hold(bench)
    try bench.write(140)
    #expect(log.all.first?.because == .framesDropped)
    bench.service.script.withLock { $0.isHeld = false }
  }

  /// An encoder has one bitrate for all outputs.
  @Test func theSlowestDecides() throws {
    let log = Log()
    let bitrate = log.bitrate()
    let (slow, quick) = (LiveBench(bitrate: bitrate), LiveBench(bitrate: bitrate))
    try slow.begin()
    try quick.begin()
    #expect(quick.waitUntilLive())
    try hold(slow)
    for _ in 0..<140 {
      try writeSlowly(1, to: quick)
      try slow.write(1)
    }
    #expect(log.all.first == Self.first)
    slow.service.script.withLock { $0.isHeld = false }
  }

  @Test func unconnectedOutputDoesNotAffectBitrate() throws {
    let log = Log()
    let bitrate = log.bitrate()
    let (dead, quick) = (LiveBench(bitrate: bitrate), LiveBench(bitrate: bitrate))
    dead.server.withScript { $0.connectFaults = [.hangs] }
    try dead.begin()
    try quick.begin()
    #expect(quick.waitUntilLive())
    for _ in 0..<300 {
      try dead.write(1)
      try writeSlowly(1, to: quick)
    }
    #expect(dead.status.queuedFrameCount == 300)
    #expect(log.all.isEmpty && bitrate.bitrate == 128_000)
  }

  /// The remaining outputs must have no queue for ten seconds before the bitrate rises.
  @Test func withdrawnOutputRestartsTheWait() {
    let bitrate = AdaptiveBitrate(32_000...128_000, from: 64_000)
    let (lost, kept) = (bitrate.join(), bitrate.join())
    func observe(_ output: Int, at second: Int) {
      bitrate.take(.init(queued: .zero, at: .seconds(second)), of: output)
    }
    for second in 0..<9 {
      observe(lost, at: second)
      observe(kept, at: second)
    }
    bitrate.withdraw(lost)
    // An output without a connection cannot be lost again.
    for second in 9...18 {
      observe(kept, at: second)
      bitrate.withdraw(lost)
    }
    #expect(bitrate.bitrate == 64_000)
    observe(kept, at: 19)
    #expect(bitrate.bitrate == 73_000)
  }

  /// All outputs must have no queue for ten seconds from the last connection.
  @Test func connectedOutputRestartsTheWait() {
    let bitrate = AdaptiveBitrate(32_000...128_000, from: 64_000)
    let outputs = [bitrate.join(), bitrate.join()]
    func observe(_ output: Int, at second: Int) {
      bitrate.take(.init(queued: .zero, at: .seconds(second)), of: output)
    }
    for second in 0..<9 { observe(outputs[0], at: second) }
    for second in 9...18 { for output in outputs.reversed() { observe(output, at: second) } }
    #expect(bitrate.bitrate == 64_000)
    observe(outputs[0], at: 19)
    #expect(bitrate.bitrate == 73_000)
  }

  @Test func droppedAudioOfAllOutputsCounts() {
    let bitrate = AdaptiveBitrate(1000...128_000, from: 100_000)
    let outputs = [bitrate.join(), bitrate.join()]
    for (output, time, dropped) in [(0, 0, 0), (1, 0, 0), (0, 500, 300), (1, 1000, 300)] {
      bitrate.take(
        .init(queued: .zero, dropped: .milliseconds(dropped), at: .milliseconds(time)),
        of: outputs[output])
    }
    // 400 of 1,000 ms were sent; the bitrate falls to 85 % of that.
    #expect(bitrate.bitrate == 34_000)
  }

  @Test func lateEncoderReceivesCurrentBitrate() throws {
    let bitrate = AdaptiveBitrate(32_000...128_000, from: 200_000)
    let bench = LiveBench(bitrate: bitrate)
    try bench.begin()
    try hold(bench)
    try bench.write(140)
    let requestedBitrates = Lock<[Int]>([])
    bitrate.drive { requested in requestedBitrates.withLock { $0.append(requested) } }
    #expect(requestedBitrates.withLock { $0.map(\.self) } == [38_000])
    bench.service.script.withLock { $0.isHeld = false }
  }
}
