import AacornCodec
import AacornSystem
import Simulation
import TestSignals
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// Random servers that refuse, break, stall and lose bytes, in all orders of threads.
@Suite(.simulated(seeds: 100, with: .all)) struct LiveScenarioTests {
  private var numbers: SeededNumbers
  private let options: LiveOptions
  private let configuration: AudioSpecificConfig
  private let bench: LiveBench
  /// Whether the number of attempts is limited.
  private let givesUp: Bool

  init() {
    var numbers = Simulation.numbers
    func milliseconds(_ choices: [Int]) -> Duration {
      .milliseconds(choices.randomElement(using: &numbers) ?? 0)
    }
    func fault(_ count: Int, of all: Int) -> MockServer.Fault? {
      if Int.random(in: 0..<all, using: &numbers) >= count { return nil }
      return Bool.random(using: &numbers) ? .fails(.gone) : .hangs
    }
    var options = LiveOptions()
    options.connectTimeout = milliseconds([300, 5000])
    options.stallTimeout = milliseconds([200, 4000])
    options.queueDuration = milliseconds([0, 100, 1000, 10_000])
    options.initialReconnectDelay = milliseconds([0, 1, 100, 500])
    options.maxReconnectDelay = milliseconds([2, 800, 30_000])
    options.stableDuration = milliseconds([0, 700, 60_000])
    options.drainTimeout = milliseconds([0, 50, 3000])
    options.attemptLimit = [nil, nil, nil, 0, 2].randomElement(using: &numbers) ?? nil
    self.options = options
    configuration = Bool.random(using: &numbers) ? .stereo48 : .doubled48
    bench = LiveBench(options, sendsMetadataSeparately: Bool.random(using: &numbers))
    let delay = [0, 0, 5, 60].randomElement(using: &numbers) ?? 0
    bench.server.withScript { script in
      script.sendDelay = delay
      for number in 0..<20 {
        script.connectFaults.append(fault(1, of: 3))
        if let fault = fault(2, of: 3) {
          script.sendFaults[number] = (Int.random(in: 0...30, using: &numbers), fault)
        }
        script.unacknowledged[number] = [0, 1, 40, 300].randomElement(using: &numbers)
      }
    }
    let isRejected = Int.random(in: 0..<10, using: &numbers) == 0
    givesUp = isRejected || options.attemptLimit != nil
    bench.service.script.withLock { script in
      for _ in 0..<10 {
        script.openErrors.append([nil, nil, nil, .gone].randomElement(using: &numbers) ?? nil)
        script.updateErrors.append([nil, .gone].randomElement(using: &numbers) ?? nil)
      }
      if isRejected { script.openErrors.insert(.wrongPassword, at: 2) }
    }
    self.numbers = numbers
  }

  @Test mutating func everyFrameArrivesOrIsCountedAsDropped() throws {
    try bench.output.begin(LiveBench.start(configuration: configuration))
    let writtenCount = try writeFrames()
    let (before, hadEnded) = (System.seconds, bench.status.state.isLast)
    let closed = bench.output.abandon()
    let summary = try #require(closed)
    // The time for the queue, for closing, and for a transport that hangs; its last call ends with the signal.
    let limit = hadEnded ? 0 : options.drainTimeout / .seconds(1) + 2
    #expect(System.seconds - before < limit + 0.01 + Simulation.maxDelay)
    let status = bench.status
    #expect(status.state.isLast && status.queuedFrameCount == 0)
    #expect(status.sentFrameCount + status.droppedFrameCount == writtenCount)
    // A stream fails if the server has accepted none of its frames. It also fails at the limit of attempts.
    let isRefused = status.sentFrameCount == 0 && status.droppedFrameCount > 0
    if status.state == .stopped || !givesUp { #expect((status.state == .stopped) == !isRefused) }
    #expect(summary.sampleCount == 1024 * status.sentFrameCount)
    let connections = bench.server.connections
    #expect(!connections.map(\.isClosed).contains(false))
    #expect(connections.reduce(0) { $0 + $1.bytes.count } == summary.byteCount)
    let frames = bench.frames
    #expect(frames.joined().count == status.sentFrameCount + status.returnedFrameCount)
    try expectArrivals(connections, status)
    for frames in frames where !frames.isEmpty {
      #expect(frames[0].isEntry, "A decoder can start with each connection.")
      for (frame, next) in zip(frames, frames.dropFirst()) {
        let distance = LiveBench.number(next) - LiveBench.number(frame)
        #expect(distance == 1 || distance > 1 && next.isEntry)
        #expect(next.position - frame.position == 1024 * distance)
      }
    }
    try expectStates(connections)
    expectTitles()
    let liveCount = bench.states.withLock { $0.count(where: { $0 == .live }) }
    #expect(status.reconnectCount == max(0, liveCount - 1))
    let isClosedLast = bench.service.script.withLock { script in
      script.closeCount <= 1 && (script.sendCountAtClose ?? script.sendCount) == script.sendCount
    }
    #expect(isClosedLast)
    let states = bench.states.withLock { $0.count }
    System.sleep(milliseconds: 5000)
    #expect(bench.states.withLock { $0.count } == states, "Nothing is reported after the end.")
    #expect(bench.status == status)
  }

  /// Writes frames in bursts until a failure, and returns their number.
  private mutating func writeFrames() throws -> Int {
    var count = 0
    let limit = max(options.queueDuration, Duration(samples: 2048, at: 48_000))
    for _ in 0..<Int.random(in: 0...8, using: &numbers) {
      for _ in 0..<Int.random(in: 1...30, using: &numbers) {
        count += 1
        do throws(OutputError) {
          try bench.write(1)
        } catch {
          #expect(error.kind == .connection && bench.status.state.isLast)
          return count
        }
        let status = bench.status
        #expect(status.sentFrameCount + status.droppedFrameCount + status.queuedFrameCount == count)
        #expect(status.queuedDuration <= limit)
      }
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        bench.output.connection.update(LiveMetadata(title: "\(count)"))
      }
      let pause = [1, 50, 300, 6000].randomElement(using: &numbers) ?? 1
      System.sleep(milliseconds: Int.random(in: 0...pause, using: &numbers))
    }
    return count
  }

  /// Compares the frames that have arrived with the status.
  private func expectArrivals(_ connections: [MockServer.Connection], _ status: LiveStatus) throws {
    var arrived: [Int] = []
    for connection in connections {
      var rest = connection.bytes.dropLast(connection.lostByteCount)
      while rest.count >= 2 {
        let number = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        let length = LiveBench.bytes(number).count
        if rest.count < length { break }
        arrived.append(number)
        rest = rest.dropFirst(length)
      }
    }
    if configuration.entryDistance == 1 {
      #expect(arrived == Set(arrived).sorted(), "Each frame arrives once, in order.")
      #expect(arrived.count == status.sentFrameCount)
    } else {
      // A new connection repeats frames from the last entry on.
      #expect(Set(arrived).count >= status.sentFrameCount)
    }
  }

  /// Expects that the title is sent before the first frame of each connection, also after a reconnection.
  private func expectTitles() {
    bench.service.script.withLock { script in
      for (index, stream) in script.streams.enumerated() where !script.frames[index].isEmpty {
        guard let title = stream.metadata.title.flatMap({ Int($0) }) else { continue }
        guard bench.service.sendsMetadataSeparately else { continue }
        // The title can have changed since the connection was opened.
        let sent = script.firstUpdates[index]?.title.flatMap { Int($0) } ?? -1
        #expect(sent >= title, "Connection \(index)")
      }
    }
  }

  /// Compares the states, and the times of connections, with the options.
  private func expectStates(_ connections: [MockServer.Connection]) throws {
    let states = bench.states.withLock { $0 }
    let times = bench.stateTimes.withLock { $0 }
    #expect(states.first == .connecting)
    #expect(states.count(where: \.isLast) == 1)
    let (tolerance, stable) = (
      0.002 + Simulation.maxDelay, options.stableDuration / .seconds(1)
    )
    var (attempt, attemptCount): (Int, Int) = (0, 0)
    var live: Double?
    for (state, time) in zip(states, times) {
      switch state {
      case .live: live = time
      case .reconnecting(_, let next):
        let duration = live.map { time - $0 } ?? -1
        if duration >= stable + tolerance || next == 1 && duration >= stable - tolerance {
          attempt = 0
        }
        attempt += 1
        #expect(next == attempt)
        if let limit = options.attemptLimit { #expect(attempt <= limit) }
        live = nil
        attemptCount += 1
        guard attemptCount < connections.count else { continue }
        // The first delay, doubled with each attempt, plus or minus a quarter.
        let wanted = min(
          Double(options.initialReconnectDelay.milliseconds << (attempt - 1)),
          Double(options.maxReconnectDelay.milliseconds))
        let delay = (connections[attemptCount].begin - time) * 1000
        let longest = min(1.25 * wanted, Double(options.maxReconnectDelay.milliseconds))
        #expect(delay > 0.75 * wanted - 1.01 && delay < longest + 1000 * tolerance)
      default: break
      }
    }
    #expect(attemptCount >= connections.count - 1)
  }
}
