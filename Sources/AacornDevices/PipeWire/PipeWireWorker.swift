#if os(Linux)
import AacornSystem

/// The thread that opens a stream, watches it and reopens it when the device or the server returns.
final class PipeWireWorker: DeviceRun {
  static let openTimeout: Int64? = 15_000_000_000
  // This code never waits for the server, but the library may hang nevertheless.
  let endTimeout = 900

  /// The path of the server's socket; nil for the default server.
  let remote: String?
  let library: PipeWireLibrary
  let status = DeviceStatus()
  let gate = DeviceGate()
  /// Wakes the thread.
  let wake = Semaphore()
  private let stopping = Atomic<Bool>(false)

  init(remote: String?, _ library: PipeWireLibrary) {
    self.remote = remote
    self.library = library
  }

  var timeoutError: DeviceError { .noServer(backend: .pipeWire, reason: "it does not answer") }

  /// Whether the thread should end.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Requests the thread to end.
  func requestEnd() {
    stopping.store(true, ordering: .releasing)
    wake.signal()
  }

  /// Runs for the thread's entire life.
  func run(_ use: any PipeWireUse) {
    let watch = PipeWireWatch(use, self)
    do throws(DeviceError) {
      try watch.open()
      status.finishOpening(nil)
      watch.run()
    } catch {
      status.finishOpening(error)
    }
    watch.close()
  }
}

/// Keeps a stream open, on the thread of a ``PipeWireWorker``.
///
///     disconnected ──server found──► waiting ──device found──► running
///       ▲                            │    ▲                     │ │
///       └────────server lost─────────┘    └────device lost──────┘ │
///       └───────────────────────────────server lost───────────────┘
final class PipeWireWatch {
  private enum Stage {
    /// No connection.
    case disconnected
    /// A connection, but no device.
    case waiting
    /// A stream is open.
    case running
  }

  /// The time without a link after which a stream's device is treated as lost.
  ///
  /// Links are removed briefly when they are moved.
  private static let unlinkedNanoseconds: Int64 = 1_000_000_000
  private static let retryNanoseconds: Int64 = 250_000_000

  private let use: any PipeWireUse
  private let work: PipeWireWorker
  private var stage = Stage.disconnected
  private var connection: PipeWireConnection?
  private var stream: PipeWireStream?
  /// The node in use, if known: the pinned one, or the one that the server has linked.
  private var node: PipeWireNode?
  /// The time at which the stream lost its link; nil while it is linked.
  private var unlinkedSince: Int64?
  /// Whether the loss was reported and the return is pending.
  private var isLost = false
  /// Whether the stream has captured from a real input, not from an output's monitor.
  private var hasUsedInput = false
  private var nextTry: Int64 = 0

  init(_ use: any PipeWireUse, _ work: PipeWireWorker) {
    self.use = use
    self.work = work
  }

  // MARK: Opening

  /// Opens the stream for the first time and waits for samples to flow.
  func open() throws(DeviceError) {
    try connect()
    guard let connection else { return }
    guard let node = availableNode(in: connection.graph) else {
      if let id = use.pinnedID { throw .unknownDevice(id: id, backend: .pipeWire) }
      throw .noDevice(for: use.direction, backend: .pipeWire)
    }
    try openStream(for: node)
    guard let stream else { return }
    let isSettled = connection.wait(
      milliseconds: 4000, unless: { work.isStopping },
      until: {
        $0.failure != nil || stream.condition.hasFlowed || stream.condition.currentState.isDead
      })
    if isSettled && stream.condition.hasFlowed {
      checkStream()
      return
    }
    if work.isStopping { return }
    let reason =
      stream.condition.currentState.error ?? connection.graph.failure
      ?? "no samples flow; is a session manager such as WirePlumber running?"
    let operation =
      switch use.direction {
      case .capture: "capture from"
      case .playback: "play on"
      }
    throw .system(operation: operation, id: node.deviceID(for: use.direction), reason: reason)
  }

  private func connect() throws(DeviceError) {
    if connection == nil { connection = try PipeWireConnection(work.library, wake: work.wake) }
    try connection?.connect(
      to: work.remote, applicationName: use.applicationName, unless: { work.isStopping })
    stage = .waiting
  }

  private var isPinned: Bool { use.pinnedID != nil }

  /// Returns the node to use now; nil if it is unavailable.
  private func availableNode(in graph: PipeWireGraph) -> PipeWireNode? {
    if let id = use.pinnedID { return graph.node(forDevice: id, use.direction) }
    return graph.defaultNode(for: use.direction).flatMap { accepts($0, in: graph) ? $0 : nil }
  }

  /// Returns whether a node may be used: not an output that replaces a disconnected default input.
  private func accepts(_ node: PipeWireNode, in graph: PipeWireGraph) -> Bool {
    isPinned || !hasUsedInput || !graph.isFallbackOutput(node)
  }

  private func openStream(for target: PipeWireNode) throws(DeviceError) {
    guard let connection else { return }
    stream = try use.openStream(for: target, in: connection, isReturning: isLost)
    stage = .running
    unlinkedSince = nil
    node = isPinned ? target : nil
    // Report the device now: samples, and with them the event of a return, may arrive before the
    // link is detected.
    report(target, in: connection.graph)
  }

  private func report(_ node: PipeWireNode, in graph: PipeWireGraph) {
    work.status.device = graph.device(
      of: node, for: use.direction, isDefault: node == graph.defaultNode(for: use.direction))
    if node.role == .source { hasUsedInput = true }
  }

  // MARK: Watching

  /// Watches until the work is stopped.
  func run() {
    while !work.isStopping {
      let pause =
        switch stage {
        case .running: unlinkedSince == nil ? 1000 : 100
        case .waiting, .disconnected: 250
        }
      _ = work.wake.wait(milliseconds: pause)
      if work.isStopping { break }
      switch stage {
      case .running: checkStream()
      case .waiting, .disconnected: retry()
      }
    }
  }

  /// Closes everything, the stream first; afterward no samples flow.
  func close() {
    stream?.close()
    connection?.close()
  }

  /// Checks whether the stream still has its server and its device.
  private func checkStream() {
    guard let connection, let stream else { return }
    if stream.condition.hasFlowed {
      isLost = false
      use.reportDiagnostics(on: stream)
    }
    let graph = connection.graph
    if graph.failure != nil { return lose(server: true) }
    if stream.condition.currentState.isDead { return lose(server: false) }
    if isPinned, let node, !graph.nodes.values.contains(where: { $0.serial == node.serial }) {
      return lose(server: false)
    }
    guard let linked = linkedNode(of: stream, in: graph) else {
      // Before its first link a stream waits for the session manager, which may be slow.
      guard node != nil, stream.condition.hasFlowed else { return }
      let since = unlinkedSince ?? System.nanoseconds
      unlinkedSince = since
      if System.nanoseconds - since >= Self.unlinkedNanoseconds { lose(server: false) }
      return
    }
    unlinkedSince = nil
    if !accepts(linked, in: graph) { return lose(server: false) }
    if linked != node {
      let isAnother = !isPinned && node != nil && node?.serial != linked.serial
      node = linked
      // Report the device before the change: the receiver of the change queries the device's name.
      report(linked, in: graph)
      if isAnother { stream.condition.announce(.changed) }
    }
    use.checkFlow(after: stream)
  }

  /// Returns the device's node to which the stream is linked, directly or through a module.
  private func linkedNode(of stream: PipeWireStream, in graph: PipeWireGraph) -> PipeWireNode? {
    let id = if let name = use.moduleNode { graph.id(ofNodeNamed: name) } else { stream.node }
    return id.flatMap { graph.node(linkedTo: $0, use.direction) }
  }

  private func lose(server: Bool) {
    // The last samples may report a return until the stream is closed.
    stream?.close()
    if stream?.condition.hasFlowed == true { isLost = false }
    stream = nil
    if !isLost { use.reportLoss() }
    isLost = true
    node = nil
    stage = server ? .disconnected : .waiting
    if use.moduleNode != nil {
      // The module is unloaded only with its context.
      connection?.close()
      connection = nil
      stage = .disconnected
    } else if server {
      connection?.disconnect()
    }
    use.releaseStream()
    nextTry = System.nanoseconds + Self.retryNanoseconds / 5
  }

  /// Attempts the next step from `disconnected` toward `running`, at a limited rate.
  private func retry() {
    guard System.nanoseconds >= nextTry else { return }
    nextTry = System.nanoseconds + Self.retryNanoseconds
    if stage == .disconnected {
      try? connect()
      nextTry = System.nanoseconds + (stage == .disconnected ? Self.retryNanoseconds : 0)
      if stage == .disconnected { return }
    }
    guard let connection else { return }
    let graph = connection.graph
    if graph.failure != nil { return lose(server: true) }
    guard let target = availableNode(in: graph) else { return }
    do throws(DeviceError) {
      try openStream(for: target)
    } catch {
      if use.mayLoadModule {
        connection.close()
        self.connection = nil
        stage = .disconnected
      }
      nextTry = System.nanoseconds + Self.retryNanoseconds
    }
  }
}

/// The purpose for which a ``PipeWireWatch`` keeps a stream open: to capture, or to play.
///
/// Used by the watching thread only.
protocol PipeWireUse: AnyObject {
  /// The program's name in mixers.
  var applicationName: String { get }
  /// The id of the only device to use; nil follows the default.
  var pinnedID: String? { get }
  /// The direction of the samples.
  var direction: DeviceDirection { get }
  /// Whether opening a stream may load a module, which is unloaded only when the connection is
  /// closed.
  var mayLoadModule: Bool { get }
  /// The name of the loaded module's node that is linked to the device in place of the stream; nil
  /// if no module is loaded.
  var moduleNode: String? { get }

  /// Opens a stream for a node; `isReturning` states whether a loss of the device was reported
  /// before.
  func openStream(
    for node: PipeWireNode, in connection: PipeWireConnection, isReturning: Bool
  ) throws(DeviceError) -> PipeWireStream

  /// Reports that the device is unavailable, after the stream was closed.
  func reportLoss()

  /// Checks whether samples still flow through a linked stream.
  func checkFlow(after stream: PipeWireStream)

  /// Reports diagnostics about a stream through which samples flow.
  func reportDiagnostics(on stream: PipeWireStream)

  /// Releases the objects of a closed stream.
  func releaseStream()
}
#endif
