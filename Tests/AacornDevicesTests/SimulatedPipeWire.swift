#if os(Linux)
import AacornSystem
import CAacornPipeWire
import Simulation
import TestSignals

@testable import AacornDevices

/// A PipeWire server, its session manager and its client library in simulated time.
///
/// The server is another process: it works at its own times, whichever thread of the test runs, and
/// exchanges messages with its clients that take a while. Frame n of each input has the value n, and
/// all devices have counted their frames since the server object was made.
final class SimulatedPipeWire: @unchecked Sendable {
  // Unchecked because a simulation runs one thread at a time. The server never calls the world while
  // it changes its state.

  let origin = System.nanoseconds
  /// The rate of all devices' clocks relative to the monotonic clock.
  let pace: Double
  /// The duration of a message's way, and the time that the session manager takes for a link.
  let trip: ClosedRange<Int64> = 50_000...1_500_000
  let linkTime: ClosedRange<Int64> = 1_000_000...60_000_000
  /// The time in milliseconds for which the next data thread to wake up then stalls.
  var stallMilliseconds = 0
  /// The number of the next cycles in which a capture finds no buffer.
  var emptyCycleCount = 0
  /// Whether the session manager links no streams.
  private(set) var isUnlinking = false
  private(set) var isRunning = true
  private(set) var isFrozen = false
  private(set) var nodes: [Node] = []
  /// The next frame that a capture delivers, and the frames that no stream could capture.
  var nextFrame = 0
  var lost: [Range<Int>] = []
  /// The samples that all sinks have played.
  var playedBlocks: [PlayedBlock] = []
  /// The numbers of all frames that the streams have rendered, without silence.
  var renderedNumbers: [Int] = []
  private(set) var clients: [Client] = []
  /// The number of times that the loops of the clients have handled messages.
  var turnCount = 0
  private var numbers = Simulation.numbers
  private var steps: [ServerStep] = []
  private var order = 0
  private var time: Int64
  private var chosenDefaults: [Bool: String] = [:]
  private var nextSerial = 0
  private let setUp: (SimulatedPipeWire) -> Void

  /// A source or sink, whose clock drives cycles.
  final class Node {
    let name: String
    let isSink: Bool
    let rate: Int
    /// The ticks in a cycle.
    let quantum: Int
    /// The ticks from the capture of the last frame to its cycle, or from a cycle to its sound.
    let latency: Int
    fileprivate(set) var id: UInt32 = 0
    fileprivate(set) var serial = 0
    /// The starts of the newest and the previous cycle, in ticks since the server object was made.
    fileprivate(set) var start = 0
    fileprivate(set) var previous = 0
    /// The ticks that the device has lost, and those that it will have lost in the next cycle.
    fileprivate(set) var overruns = 0
    var nextOverrun = 0

    init(
      _ name: String, isSink: Bool = false, rate: Int = 1000, quantum: Int = 20, latency: Int = 5
    ) {
      self.name = name
      self.isSink = isSink
      self.rate = rate
      self.quantum = quantum
      self.latency = latency
    }
  }

  /// Starts a server; `setUp` adds the devices at each start.
  init(
    drift partsPerMillion: Double = 0, _ setUp: @escaping (SimulatedPipeWire) -> Void = { _ in }
  ) {
    pace = 1 + partsPerMillion * 1e-6
    time = origin
    self.setUp = setUp
    setUp(self)
  }

  // MARK: Time

  /// The time of a tick or frame.
  func time(of tick: Int, _ rate: Int) -> Int64 {
    origin + Int64(Double(tick) * 1e9 / pace / Double(rate))
  }

  /// The time of the server's next work; nil if it does not work.
  var nextTime: Int64? { isRunning && !isFrozen ? steps.first?.time : nil }

  /// The start of the next cycle of a node; nil if there is none.
  func nextCycleTime(_ node: Node) -> Int64? {
    isFrozen ? nil : time(of: node.start + node.nextOverrun + node.quantum, node.rate)
  }

  /// Does all work up to now; for all threads, before they look at the server.
  @discardableResult
  func advance() -> Int64 {
    let now = System.nanoseconds
    while let next = nextTime, next <= now {
      time = max(time, next)
      steps.removeFirst().run()
    }
    time = max(time, now)
    for node in nodes where !isFrozen {
      while let next = nextCycleTime(node), next <= now {
        node.previous = node.nextOverrun == 0 ? node.start : .min
        node.start += node.nextOverrun + node.quantum
        node.overruns += node.nextOverrun
        node.nextOverrun = 0
      }
    }
    return now
  }

  private func schedule(at time: Int64, _ run: @escaping () -> Void) {
    order += 1
    steps.add(ServerStep(time: time, order: order, run: run))
  }

  /// Delivers a message to a client.
  func send(_ client: Client, _ run: @escaping () -> Void) {
    order += 1
    client.lastArrival = max(client.lastArrival, time + .random(in: trip, using: &numbers))
    client.loop.add(
      ServerStep(time: client.lastArrival, order: order) { if client.isOpen { run() } })
  }

  /// Receives a message that a client sends now.
  func receive(_ client: Client, _ run: @escaping () -> Void) {
    advance()
    client.lastRequest = max(client.lastRequest, time + .random(in: trip, using: &numbers))
    schedule(at: client.lastRequest) { [unowned self] in
      if clients.contains(where: { $0 === client }) { run() }
    }
  }

  /// Stalls the calling thread, if the test requests that.
  func stall() {
    let milliseconds = stallMilliseconds
    stallMilliseconds = 0
    if milliseconds > 0 { System.sleep(milliseconds: milliseconds) }
  }

  func random(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &numbers) }

  // MARK: Faults

  /// Ends the server, as in a crash.
  func kill() {
    advance()
    isRunning = false
    isFrozen = false
    for client in clients {
      for stream in client.streams { stream.driver = nil }
      send(client) { client.fail() }
    }
    clients = []
    nodes = []
    steps = []
  }

  /// Starts the server again, with the same devices.
  func restart() {
    advance()
    isRunning = true
    nextSerial = 0
    setUp(self)
  }

  /// Stops the server's process until `thaw`.
  func freeze() {
    advance()
    isFrozen = isRunning
  }

  /// Continues the server's process; its devices have lost the frames captured during the freeze.
  func thaw() {
    let now = System.nanoseconds
    guard isFrozen else { return }
    isFrozen = false
    for node in nodes {
      let tick = Int(Double(now - origin) * pace * Double(node.rate) * 1e-9)
      node.nextOverrun += max(0, tick - node.start - node.nextOverrun)
    }
    for index in steps.indices { steps[index].time = max(steps[index].time, now) }
    advance()
  }

  /// Stops all streams with an error.
  func failStreams() {
    advance()
    for client in clients { for stream in client.streams { fail(stream) } }
  }

  /// Removes all links, or restores them.
  func unlink(_ isUnlinking: Bool) {
    advance()
    self.isUnlinking = isUnlinking
    relink()
  }

  // MARK: Devices

  func node(_ name: String) -> Node? { nodes.first { $0.name == name } }

  func add(_ node: Node) {
    advance()
    node.id = freeID
    nextSerial += 1
    node.serial = nextSerial
    node.start = Int(Double(time - origin) * pace * Double(node.rate) * 1e-9)
    node.previous = .min
    nodes.append(node)
    for client in clients { announce(node, to: client) }
    updateDefaults()
  }

  /// Removes a device, as if it were unplugged.
  func remove(_ name: String) {
    advance()
    guard let node = node(name) else { return }
    nodes.removeAll { $0 === node }
    for stream in clients.flatMap(\.streams) where stream.driver === node { stream.driver = nil }
    withdraw(node.id)
    updateDefaults()
  }

  func setDefault(_ name: String) {
    advance()
    guard let node = node(name) else { return }
    chosenDefaults[node.isSink] = name
    updateDefaults()
  }

  /// The device for streams that name none: the chosen one, the first one, or an output for a capture.
  func defaultNode(_ isSink: Bool) -> Node? {
    let candidates = nodes.filter { $0.isSink == isSink }
    return candidates.first { $0.name == chosenDefaults[isSink] } ?? candidates.first
      ?? (isSink ? nil : defaultNode(true))
  }

  private func updateDefaults() {
    for client in clients { announceSettings(to: client) }
    relink()
  }

  /// The lowest number that no object has.
  private var freeID: UInt32 {
    let streams = clients.flatMap(\.streams)
    let used = Set(nodes.map(\.id) + streams.compactMap(\.id) + streams.compactMap { $0.link?.id })
    return (40...).first { !used.contains($0) } ?? 0
  }

  // MARK: Clients

  func connect(_ client: Client) { clients.append(client) }

  func disconnect(_ client: Client) {
    advance()
    clients.removeAll { $0 === client }
    for stream in client.streams { close(stream) }
  }

  /// Reports all objects to a registry.
  func list(to client: Client) {
    for (id, name) in [(30, "settings"), (31, "default")] {
      client.announce(UInt32(id), AACORN_PW_TYPE_INTERFACE_Metadata, ["metadata.name": name])
    }
    for node in nodes { announce(node, to: client) }
    for stream in clients.flatMap(\.streams) {
      if stream.id != nil { announce(stream, to: client) }
      if stream.link != nil { announceLink(of: stream, to: client) }
    }
  }

  private func announce(_ node: Node, to client: Client) {
    client.announce(
      node.id, AACORN_PW_TYPE_INTERFACE_Node,
      [
        "node.name": node.name, "object.serial": "\(node.serial)",
        "media.class": node.isSink ? "Audio/Sink" : "Audio/Source",
      ])
  }

  private func announce(_ stream: Stream, to client: Client) {
    guard let id = stream.id else { return }
    let kind = stream.isPlayback ? "Output" : "Input"
    client.announce(
      id, AACORN_PW_TYPE_INTERFACE_Node,
      ["node.name": stream.properties["node.name"] ?? "", "media.class": "Stream/\(kind)/Audio"])
  }

  private func announceLink(of stream: Stream, to client: Client) {
    guard let id = stream.id, let link = stream.link else { return }
    let ends = stream.isPlayback ? (id, link.node.id) : (link.node.id, id)
    client.announce(
      link.id, AACORN_PW_TYPE_INTERFACE_Link,
      ["link.output.node": "\(ends.0)", "link.input.node": "\(ends.1)"])
  }

  /// Reports the rate and the default devices.
  func announceSettings(to client: Client) {
    client.set(30, "clock.rate", "48000")
    for isSink in [false, true] {
      let value = defaultNode(isSink).map { "{\"name\":\"\($0.name)\"}" }
      client.set(31, isSink ? "default.audio.sink" : "default.audio.source", value)
    }
  }

  private func withdraw(_ id: UInt32) { for client in clients { client.withdraw(id) } }

  // MARK: Streams

  func open(_ stream: Stream) {
    let id = freeID
    stream.id = id
    stream.client.streams.append(stream)
    send(stream.client) { stream.open(id) }
    for client in clients { announce(stream, to: client) }
    relink()
  }

  func close(_ stream: Stream) {
    stream.client.streams.removeAll { $0 === stream }
    stream.driver = nil
    if let link = stream.link { withdraw(link.id) }
    stream.link = nil
    if let id = stream.id { withdraw(id) }
    stream.id = nil
  }

  private func fail(_ stream: Stream) {
    close(stream)
    send(stream.client) { stream.setState(AACORN_PW_STREAM_STATE_ERROR, "simulated error") }
  }

  /// Links each stream to the node that it should use.
  private func relink() {
    for stream in clients.flatMap(\.streams) {
      let wanted = isUnlinking ? nil : target(of: stream)
      if stream.link?.node !== wanted, let link = stream.link {
        withdraw(link.id)
        stream.link = nil
        stream.driver = nil
        send(stream.client) { stream.suspend() }
      }
      // A stream for one node only fails without it, unless the session manager is slow.
      if wanted == nil, !isUnlinking, stream.target != nil, random(0...1) == 0 { fail(stream) }
      guard let wanted, stream.link == nil else { continue }
      schedule(at: time + .random(in: linkTime, using: &numbers)) { [unowned self] in
        guard stream.id != nil, stream.link == nil, !isUnlinking, target(of: stream) === wanted
        else { return }
        stream.link = (freeID, wanted)
        for client in clients { announceLink(of: stream, to: client) }
        send(stream.client) { if stream.link?.node === wanted { stream.start(wanted) } }
      }
    }
  }

  private func target(of stream: Stream) -> Node? {
    stream.target.map(node) ?? defaultNode(stream.isPlayback)
  }
}
#endif
