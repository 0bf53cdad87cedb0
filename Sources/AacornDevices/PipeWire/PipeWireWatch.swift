#if os(Linux)
import AacornSystem

/// The work of a ``PipeWireSource``'s thread.
///
///     away ──server back──► waiting ──device there──► running
///       ▲                   │    ▲                     │ │
///       └────server gone────┘    └─────device gone─────┘ │
///       └──────────────────────────────server gone───────┘
final class PipeWireWatch {
  private enum Stage {
    /// No connection.
    case away
    /// A connection, but nothing to capture from.
    case waiting
    /// A stream is open.
    case running
  }

  /// What the stream is opened for.
  private struct Target {
    var node: PipeWireNode
    /// The node's name, or nil to follow the default.
    var name: String?
    var isMonitor: Bool { node.role == .sink }
  }

  /// How long a stream may have no link before its device counts as lost: links are removed briefly
  /// when they are moved.
  private static let unlinkedNanoseconds: Int64 = 1_000_000_000
  private static let retryNanoseconds: Int64 = 250_000_000

  private let source: PipeWireSource
  private let sink: CaptureSink
  private var stage = Stage.away
  private var connection: PipeWireConnection?
  private var stream: PipeWireStream?
  private var filter: PipeWireVoice.Filter?
  /// The node in use, if known: the pinned one, or the one that the server has linked.
  private var node: PipeWireNode?
  /// Since when the stream has had no link.
  private var unlinkedSince: Int64?
  /// Whether the loss was reported and the return is pending.
  private var isLost = false
  private var nextTry: Int64 = 0

  init(source: PipeWireSource, sink: CaptureSink) {
    self.source = source
    self.sink = sink
  }

  // MARK: Opening

  /// Opens the stream for the first time and waits for its first samples.
  func open() throws(CaptureError) {
    try connect()
    guard let connection else { return }
    guard let target = target(in: connection.graph) else {
      switch source.request.device {
      case .pinned(let id): throw .unknownDevice(id: id, backend: .pipeWire)
      case .followingDefault: throw .noDevice(backend: .pipeWire)
      }
    }
    try openStream(target)
    guard let stream else { return }
    let isSettled = connection.wait(
      milliseconds: 4000, unless: { source.isStopping },
      until: { $0.failure != nil || stream.tap.hasDelivered || stream.tap.currentState.isDead })
    if isSettled && stream.tap.hasDelivered {
      look()
      return
    }
    if source.isStopping { return }
    let reason =
      stream.tap.currentState.error ?? connection.graph.failure
      ?? "no samples arrive; is a session manager such as WirePlumber running?"
    throw .system(operation: "capture from", id: target.node.deviceID, reason: reason)
  }

  private func connect() throws(CaptureError) {
    if connection == nil { connection = try PipeWireConnection(wake: source.wake) }
    try connection?.connect(
      to: source.remote, applicationName: source.request.applicationName,
      unless: { source.isStopping })
    stage = .waiting
  }

  private func target(in graph: PipeWireGraph) -> Target? {
    switch source.request.device {
    case .followingDefault: graph.defaultNode.map { Target(node: $0, name: nil) }
    case .pinned(let id): graph.node(forDevice: id).map { Target(node: $0, name: $0.name) }
    }
  }

  private func openStream(_ target: Target) throws(CaptureError) {
    guard let connection else { return }
    var name = target.name
    let request = source.request
    var channelCount = request.channelCount ?? target.node.channelCount
    if channelCount <= 0 { channelCount = 2 }
    filter = nil
    if request.isVoiceProcessed {
      let filter = try PipeWireVoice.makeFilter(
        connection, device: target.node, isPinned: target.name != nil, remote: source.remote,
        channelCount: channelCount, unless: { source.isStopping })
      self.filter = filter
      name = filter.source
      if filter.capture != nil { channelCount = request.channelCount ?? min(channelCount, 2) }
    }
    let tap = PipeWireTap(
      sink: sink, valve: source.valve, wake: source.wake, notices: isLost ? .returned : [])
    stream = try PipeWireStream(
      .init(
        applicationName: request.applicationName, target: name,
        isMonitor: target.isMonitor && filter == nil,
        sampleRate: request.sampleRate, channelCount: channelCount,
        positions: filter == nil ? target.node.positions : [],
        blockMilliseconds: request.blockDuration.milliseconds),
      connection: connection, tap: tap)
    stage = .running
    unlinkedSince = nil
    node = target.name == nil ? nil : target.node
    if let node { tell(node) }
  }

  // MARK: Watching

  /// Watches until the source is stopped.
  func run() {
    while !source.isStopping {
      let pause =
        switch stage {
        case .running: unlinkedSince == nil ? 1000 : 100
        case .waiting, .away: 250
        }
      _ = source.wake.wait(milliseconds: pause)
      if source.isStopping { break }
      switch stage {
      case .running: look()
      case .waiting, .away: retry()
      }
    }
  }

  /// Closes everything, the stream first, after which nothing comes.
  func close() {
    stream?.close()
    connection?.close()
  }

  /// Checks whether the stream still has its server and its device.
  private func look() {
    guard let connection, let stream else { return }
    if stream.tap.hasDelivered {
      isLost = false
      remark(stream)
    }
    let graph = connection.graph
    if graph.failure != nil { return lose(server: true) }
    if stream.tap.currentState.isDead { return lose(server: false) }
    if isPinned, let node, !graph.nodes.values.contains(where: { $0.serial == node.serial }) {
      return lose(server: false)
    }
    guard let linked = linkedNode(graph, stream) else {
      // Before its first link a stream waits for the session manager, which may be slow.
      guard node != nil, stream.tap.hasDelivered else { return }
      let since = unlinkedSince ?? System.nanoseconds
      unlinkedSince = since
      if System.nanoseconds - since >= Self.unlinkedNanoseconds { lose(server: false) }
      return
    }
    unlinkedSince = nil
    if linked != node {
      if !isPinned, let node, node.serial != linked.serial { stream.tap.announce(.changed) }
      node = linked
      tell(linked)
    }
  }

  private var isPinned: Bool { source.request.device != .followingDefault }

  /// The node that the stream reads or, with our own filter, the one that the filter reads.
  private func linkedNode(_ graph: PipeWireGraph, _ stream: PipeWireStream) -> PipeWireNode? {
    if let capture = filter?.capture {
      return graph.id(ofNodeNamed: capture).flatMap { graph.source(of: $0) }
    }
    return stream.node.flatMap { graph.source(of: $0) }
  }

  private func lose(server: Bool) {
    if stream?.tap.hasDelivered == true { isLost = false }
    stream?.close()
    stream = nil
    // From here on the data thread no longer writes, so this one may.
    if !isLost && source.valve.isOpen { sink.notify(.deviceLost, time: System.nanoseconds) }
    isLost = true
    node = nil
    stage = server ? .away : .waiting
    if filter?.capture != nil {
      // The module ends only with its context.
      connection?.close()
      connection = nil
      stage = .away
    } else if server {
      connection?.disconnect()
    }
    filter = nil
    nextTry = System.nanoseconds + Self.retryNanoseconds / 5
  }

  /// Takes the next step back to running, at a limited rate.
  private func retry() {
    guard System.nanoseconds >= nextTry else { return }
    nextTry = System.nanoseconds + Self.retryNanoseconds
    if stage == .away {
      try? connect()
      nextTry = System.nanoseconds + (stage == .away ? Self.retryNanoseconds : 0)
      if stage == .away { return }
    }
    guard let connection else { return }
    let graph = connection.graph
    if graph.failure != nil { return lose(server: true) }
    guard let target = target(in: graph) else { return }
    do throws(CaptureError) {
      try openStream(target)
    } catch {
      if filter?.capture != nil || source.request.isVoiceProcessed {
        connection.close()
        self.connection = nil
        stage = .away
      }
      nextTry = System.nanoseconds + Self.retryNanoseconds
    }
  }

  // MARK: Reporting

  private func tell(_ node: PipeWireNode) {
    guard let graph = connection?.graph else { return }
    let device = node.device(
      isDefault: graph.defaultNode == node, graphRate: graph.sampleRate)
    source.status.withLock { $0.device = device }
  }

  private func remark(_ stream: PipeWireStream) {
    var remarks: [String] = []
    if stream.isRealtime == false {
      remarks.append(
        "PipeWire's data thread has no real-time priority here; samples may be lost on a busy "
          + "machine.")
    }
    if let filter {
      remarks.append("Echo and noise are removed by PipeWire’s node \(filter.source).")
    }
    source.status.withLock { $0.remarks = remarks }
  }
}
#endif
