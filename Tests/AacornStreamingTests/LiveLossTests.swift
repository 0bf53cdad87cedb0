import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// Every lost frame is counted.
@Suite(.simulated(seeds: 8, with: .all)) struct LiveLossTests {
  /// The frame in transit is sent again, and so are unacknowledged frames: two, and the last byte of
  /// the previous one.
  @Test(arguments: [0, 3]) func unacknowledgedFramesAreResent(count: Int) throws {
    let bench = LiveBench()
    bench.server.withScript { script in
      script.sendFaults[0] = (afterCalls: 10, fault: .fails(.gone))
      let two = LiveBench.bytes(8) + LiveBench.bytes(9)
      script.unacknowledged[0] = count == 0 ? 0 : two.count + 1
    }
    try bench.begin()
    try bench.write(30)
    #expect(bench.wait { $0.status.sentFrameCount == 30 })
    #expect(
      bench.frames.map { $0.map(LiveBench.number) } == [Array(0..<10), Array(10 - count..<30)])
    #expect(bench.frames.last?.map(\.position) == (0..<20 + count).map { 1024 * $0 })
    #expect(bench.server.connections.map(\.isClosed) == [true, false])
    #expect(bench.status.reconnectCount == 1 && bench.status.droppedFrameCount == 0)
    #expect(bench.output.abandon()?.sampleCount == 30 * 1024)
    #expect(
      bench.states.withLock { $0 }
        == [.connecting, .live, .reconnecting(.gone, attempt: 1), .live, .stopped])
  }

  /// A decoder of HE-AAC can start at every eighth frame.
  @Test(arguments: [12, 10])
  func aNewConnectionBeginsWithAFrameThatADecoderCanBeginWith(arrivedCount: Int) throws {
    let bench = LiveBench()
    bench.server.withScript { script in
      script.sendFaults[0] = (afterCalls: 12, fault: .fails(.gone))
      script.unacknowledged[0] = (arrivedCount..<12).reduce(0) { $0 + LiveBench.bytes($1).count }
    }
    try bench.output.begin(LiveBench.start(configuration: .doubled48))
    try bench.write(30)
    #expect(bench.wait { $0.status.sentFrameCount == 30 })
    #expect(bench.frames.map { $0.map(LiveBench.number) } == [Array(0..<12), Array(8..<30)])
    #expect(bench.frames.last?.first?.position == 0)
    #expect(bench.status.droppedFrameCount == 0 && bench.status.returnedFrameCount == 4)
  }

  @Test(arguments: [(96_000, 24_000), (16_000, 8192), (0, 65_536)])
  func systemHoldsTwoSecondsOfSound(bitrate: Int, limit: Int) throws {
    let bench = LiveBench()
    var start = LiveBench.start()
    start.format = .aac(LiveBench.configuration, LiveBench.timing(bitrate))
    try bench.output.begin(start)
    #expect(bench.waitUntilLive())
    #expect(bench.server.connections.map(\.unsentLimit) == [limit])
  }

  // Other systems discard the number of unsent bytes when a connection breaks.
  #if os(Linux)
  @Test(.realTime) func everyFrameReachesTheFarEndOverABrokenConnection() throws {
    let size = 500
    let count = 2000
    let hasBroken = Lock(false)
    let received = Lock<[[UInt8]]>([])
    let server = try TCPServer { connection in
      let isFirst = received.withLock { received in
        received.append([])
        return received.count == 1
      }
      guard isFirst else {
        while let bytes = connection.read() { received.withLock { $0[$0.count - 1] += bytes } }
        return
      }
      // The server reads nothing. Once its buffer is full, it resets the connection.
      while !hasBroken.withLock(\.self) && !connection.isEnding { System.sleep(milliseconds: 5) }
      while !connection.hasNoRoom && !connection.isEnding { System.sleep(milliseconds: 5) }
      let bytes = connection.peek()
      received.withLock { $0[0] = bytes }
      connection.reset()
    }
    defer { server.stop() }
    var service = ScriptedService()
    service.endpoint = NetworkEndpoint(host: "127.0.0.1", port: server.port)
    service.endpoint.proxy = ""
    var output = LiveOutput(service, LiveBench.longTimeouts)
    defer { _ = output.abandon() }
    try output.begin(LiveBench.start())
    for number in 0..<count {
      var bytes = [UInt8](repeating: 7, count: size)
      bytes[0] = UInt8(number >> 8)
      bytes[1] = UInt8(number & 255)
      try output.write(EncodedPacket(bytes: bytes, position: number * 1024, sampleCount: 1024))
    }
    #expect(eventually { output.connection.status.sentFrameCount >= 40 }, "Some frames are sent.")
    hasBroken.withLock { $0 = true }
    #expect(eventually { output.connection.status.sentFrameCount == count }, "All frames are sent.")
    #expect(output.connection.status.reconnectCount == 1)
    func numbers(_ bytes: [UInt8]) -> [Int] {
      stride(from: 0, through: bytes.count - size, by: size).map { start in
        Int(bytes[start]) << 8 | Int(bytes[start + 1])
      }
    }
    func all() -> [Int] { received.withLock { $0.flatMap(numbers) } }
    #expect(eventually { all().count >= count }, "All arrive.")
    #expect(received.withLock { $0.map { !numbers($0).isEmpty } } == [true, true])
    #expect(all() == Array(0..<count))
  }
  #endif

  /// The way in which a connection ends while another thread writes.
  enum Ending: CaseIterable, Sendable { case failure, stop }

  @Test(arguments: Ending.allCases) func everyFrameIsCountedAtTheEnd(ending: Ending) throws {
    let count = 300
    var numbers = Simulation.numbers
    let sentCount = Int.random(in: 0..<count, using: &numbers)
    let bench = LiveBench { $0.drainTimeout = .milliseconds(5) }
    if ending == .failure {
      let error = NetworkError(.libraryMissing, "No.")
      bench.server.withScript {
        $0.sendFaults[0] = (afterCalls: sentCount, fault: .fails(error))
      }
    }
    try bench.begin()
    let connection = bench.output.connection
    let thread = try #require(
      WorkerThread("test") {
        for number in 0..<count {
          let frame = EncodedPacket(
            bytes: LiveBench.bytes(number), position: number * 1024, sampleCount: 1024)
          try? connection.send(frame)
        }
      })
    if ending == .stop {
      #expect(bench.wait { $0.status.sentFrameCount >= sentCount })
      _ = connection.stop()
    }
    thread.join()
    #expect(bench.wait { $0.status.state.isLast })
    let status = bench.status
    #expect(status.queuedFrameCount == 0)
    #expect(status.sentFrameCount + status.droppedFrameCount == count)
  }

  @Test func waitingFramesDoNotAccumulateSignals() throws {
    let bench = LiveBench()
    bench.server.withScript { $0.connectFaults = [.hangs] }
    try bench.begin()
    try bench.write(5000)
    var count = 0
    while bench.output.connection.wake.wait(milliseconds: 0) { count += 1 }
    #expect(count <= 1)
  }
}
