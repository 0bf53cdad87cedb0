import AacornCodec
import AacornSystem
import Simulation
import TestSignals
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// Random networks and RTMP servers that refuse, break, stall, close and lose bytes, in all orders of threads.
@Suite(.simulated(seeds: 60, with: .all), .needsSimulation) struct RTMPScenarioTests {
  private var numbers: SeededNumbers
  private let options: LiveOptions
  private let server: RTMPTestServer
  private let network: FaultyNetwork
  private let states = Lock<[LiveState]>([])
  private var output: LiveOutput

  init() {
    var numbers = Simulation.numbers
    func milliseconds(_ choices: [Int]) -> Duration {
      .milliseconds(choices.randomElement(using: &numbers) ?? 0)
    }
    var options = LiveOptions()
    options.connectTimeout = milliseconds([300, 5000])
    options.stallTimeout = milliseconds([200, 4000])
    options.queueDuration = milliseconds([100, 1000, 10_000, 60_000])
    options.initialReconnectDelay = milliseconds([1, 100, 500])
    options.maxReconnectDelay = milliseconds([2, 800])
    options.drainTimeout = milliseconds([0, 50, 3000])
    var configuration = RTMPConfiguration(
      endpoint: NetworkEndpoint(host: "radio.example", port: 1935), application: "live",
      streamKey: "key")
    configuration.answerTimeout = milliseconds([300, 5000])
    var script = RTMPTestServer.Script()
    script.pieces = [40, 1000, .max].randomElement(using: &numbers) ?? .max
    script.echoes = Bool.random(using: &numbers)
    script.window = [1000, 5_000_000].randomElement(using: &numbers) ?? 1000
    script.confirmsClose = Bool.random(using: &numbers)
    let (server, states) = (RTMPTestServer(script), states)
    self.options = options
    self.server = server
    network = FaultyNetwork(to: server, SeededNumbers(seed: numbers.next()))
    output = LiveOutput(
      RTMPService(configuration), options,
      states: { state in states.withLock { $0.append(state) } }, transports: network.factory)
    self.numbers = numbers
  }

  @Test mutating func everyFrameArrivesOnceOrIsCountedAsDropped() throws {
    try output.begin(LiveBench.start())
    let writtenCount = try writeFrames()
    let before = System.seconds
    let closed = output.abandon()
    let summary = try #require(closed)
    let limit = options.drainTimeout / .seconds(1) + 2
    #expect(System.seconds - before < limit + 0.01 + Simulation.maxDelay)
    network.settle()
    let status = output.connection.status
    #expect(status.state.isLast && status.queuedFrameCount == 0)
    #expect(status.sentFrameCount + status.droppedFrameCount == writtenCount)
    #expect((status.state == .stopped) == (status.sentFrameCount > 0 || writtenCount == 0))
    #expect(summary.sampleCount == 1024 * status.sentFrameCount)
    let arrived = connections.flatMap { expectStream($0) }
    #expect(arrived == Set(arrived).sorted(), "Each frame arrives once, in order.")
    #expect(arrived.count == status.sentFrameCount, "The others are counted as dropped.")
    #expect(server.fault == nil)
    let (messageCount, stateCount) = (server.messages.count, states.withLock(\.count))
    System.sleep(milliseconds: 5000)
    #expect(server.messages.count == messageCount, "Nothing is sent after the end.")
    #expect(states.withLock(\.count) == stateCount && output.connection.status == status)
  }

  /// Writes frames in bursts, and returns their number.
  private mutating func writeFrames() throws -> Int {
    var count = 0
    for _ in 0..<Int.random(in: 0...10, using: &numbers) {
      for _ in 0..<Int.random(in: 1...40, using: &numbers) {
        try output.write(
          EncodedPacket(
            bytes: LiveBench.bytes(count), position: 1024 * count - 2112, sampleCount: 1024))
        count += 1
      }
      let status = output.connection.status
      #expect(status.sentFrameCount + status.droppedFrameCount + status.queuedFrameCount == count)
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        output.connection.update(LiveMetadata(title: "\(count)"))
      }
      let pause = [1, 50, 300, 6000].randomElement(using: &numbers) ?? 1
      System.sleep(milliseconds: Int.random(in: 0...pause, using: &numbers))
    }
    return count
  }

  /// The messages of each connection after its first command.
  private var connections: [ArraySlice<RTMPMessage>] {
    server.messages.split { message in (try? RTMPCommand(message))?.name == "connect" }
  }

  /// Expects that a connection describes its stream before the frames, and that the frames have their times; returns
  /// their numbers.
  private func expectStream(_ messages: ArraySlice<RTMPMessage>) -> [Int] {
    let stream = messages.drop { $0.kind != .data }
    let audio = messages.filter { $0.kind == .audio }
    guard let header = audio.first else { return [] }
    #expect(stream.contains(header), "The metadata precedes the audio.")
    #expect(header.payload.starts(with: [0xAF, 0]) && header.timestamp == 0)
    let frames = audio.dropFirst()
    let arrived = frames.map { Int($0.payload[2]) << 8 | Int($0.payload[3]) }
    #expect(frames.map(\.payload) == arrived.map { [0xAF, 1] + LiveBench.bytes($0) })
    let timing = LiveBench.timing(96_000)
    let times = arrived.map { timing.milliseconds(1024 * ($0 - arrived[0])) }
    #expect(frames.map { Int($0.timestamp) } == times)
    return arrived
  }
}

/// A network to an RTMP server, with a buffer of sent bytes that the server does not have yet.
private final class FaultyNetwork: Sendable {
  enum Fault { case fails, hangs }

  private struct State {
    var numbers: SeededNumbers
    /// The sent bytes that the server does not have yet.
    var held: [UInt8] = []
    var bufferSize = 0
    /// The duration of each call of `send`, in milliseconds.
    var delay = 0
    var fault = Fault.fails
    /// The number of calls of `send` before the fault.
    var sendLimit = Int.max
    /// The number of calls of `receive` before the server closes.
    var receiveLimit = Int.max
    var sendCount = 0
  }

  let server: RTMPTestServer
  private let state: Lock<State>

  init(to server: RTMPTestServer, _ numbers: SeededNumbers) {
    self.server = server
    state = Lock(State(numbers: numbers))
  }

  var factory: TransportFactory { { FaultyTransport(self, stop: $0) } }

  private func deliver(_ bytes: some Sequence<UInt8>) {
    var transport = server.transport
    try? transport.send(Array(bytes), within: .zero)
  }

  /// Delivers the bytes that the system still sends after the end of a connection.
  func settle() {
    state.withLock { state in
      if !state.held.isEmpty { deliver(state.held) }
      state.held = []
    }
  }

  /// Chooses the faults of a new connection, and returns the one of connecting.
  func open() -> Fault? {
    settle()
    return state.withLock { state -> Fault? in
      let isFaulty = Int.random(in: 0..<3, using: &state.numbers) > 0
      state.bufferSize = [0, 40, 3000].randomElement(using: &state.numbers) ?? 0
      state.delay = [0, 0, 0, 5, 60].randomElement(using: &state.numbers) ?? 0
      state.fault = Bool.random(using: &state.numbers) ? .fails : .hangs
      state.sendLimit = isFaulty ? Int.random(in: 0...60, using: &state.numbers) : .max
      state.receiveLimit =
        Bool.random(using: &state.numbers) ? .max : Int.random(in: 0...60, using: &state.numbers)
      state.sendCount = 0
      let faults: [Fault?] = [nil, nil, .fails, .hangs]
      return faults.randomElement(using: &state.numbers) ?? nil
    }
  }

  var delay: Int { state.withLock(\.delay) }

  /// Accepts all bytes, or delivers a part of them and returns a fault.
  func send(_ bytes: [UInt8]) -> Fault? {
    state.withLock { state -> Fault? in
      state.sendCount += 1
      if state.sendCount <= state.sendLimit {
        state.held += bytes
        let count = max(0, state.held.count - state.bufferSize)
        if count > 0 { deliver(state.held[..<count]) }
        state.held.removeFirst(count)
        return nil
      }
      if state.fault == .fails {
        let part = state.held + bytes.dropLast()
        let count = Int.random(in: 0...part.count, using: &state.numbers)
        if count > 0 { deliver(part[..<count]) }
        state.held.removeFirst(min(count, state.held.count))
      }
      return state.fault
    }
  }

  /// Prepares a call of `receive`: the server has all bytes if the client waits for its answer.
  func receive(waits: Bool) {
    if waits { settle() }
    let (closes, event) = state.withLock { state in
      state.receiveLimit -= 1
      let event = waits || state.sendCount < 3 ? 40 : Int.random(in: 0..<40, using: &state.numbers)
      return (state.receiveLimit < 0, event)
    }
    if closes { server.close() }
    switch event {
    case 0...3: server.say(RTMPMessage(kind: .userControl, payload: [0, 6, 0, 0, 0, 1]), on: 2)
    case 4: server.say(event: "NetStream.Record.Start", level: "status")
    case 5: server.say(event: "NetStream.Failed", level: "error")
    default: break
    }
  }

  /// Loses the bytes that the server does not have, and returns their number.
  func lose() -> Int {
    state.withLock { state in
      defer { state.held = [] }
      return state.held.count
    }
  }
}

/// A transport over a faulty network.
private struct FaultyTransport: ByteTransport {
  private let network: FaultyNetwork
  private let stop: StopSignal
  private var base: any ByteTransport

  private static let stopped = NetworkError(.closed, "It was stopped.")

  init(_ network: FaultyNetwork, stop: StopSignal) {
    (self.network, self.stop) = (network, stop)
    base = network.server.transport
  }

  mutating func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    try meet(network.open(), time)
    try base.connect(to: endpoint, within: time)
  }

  mutating func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {
    let delay = network.delay
    if delay > 0, stop.wait(milliseconds: delay) { throw Self.stopped }
    try meet(network.send(bytes), time)
  }

  mutating func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    if stop.isRaised { throw Self.stopped }
    network.receive(waits: time > .zero)
    return try base.receive(into: &bytes, within: time)
  }

  mutating func close() { base.close() }

  var unacknowledgedByteCount: Int { network.lose() }

  private func meet(_ fault: FaultyNetwork.Fault?, _ time: Duration) throws(NetworkError) {
    switch fault {
    case nil: return
    case .fails: throw .gone
    case .hangs:
      if stop.wait(milliseconds: time.millisecondsToWait) { throw Self.stopped }
      throw NetworkError(.timeout, "The network does not answer.")
    }
  }
}
