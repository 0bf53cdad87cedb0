#if os(Linux)
import AacornSystem

/// The stream handling of a ``PipeWireSource``'s thread.
final class PipeWireCapture: PipeWireUse {
  private let request: CaptureRequest
  private let work: PipeWireWorker
  private let sink: CaptureSink
  private var tap: PipeWireTap?
  private var filter: PipeWireVoiceProcessing.Filter?
  /// Whether the stream has captured from a real input, not from an output's monitor, as the
  /// default device.
  private var hasUsedInput = false

  init(_ request: CaptureRequest, _ work: PipeWireWorker, sink: CaptureSink) {
    self.request = request
    self.work = work
    self.sink = sink
  }

  var applicationName: String { request.applicationName }

  var pinnedID: String? { request.device.pinnedID }

  var direction: DeviceDirection { .capture }

  var hasLoadedModule: Bool { filter?.capture != nil }

  var mayHaveLoadedModule: Bool { hasLoadedModule || request.isVoiceProcessed }

  func node(in graph: PipeWireGraph) -> PipeWireNode? {
    guard let pinnedID else {
      return graph.defaultNode.flatMap { accepts($0, in: graph) ? $0 : nil }
    }
    return graph.node(forDevice: pinnedID)
  }

  /// Rejects an output that replaces a disconnected default input.
  func accepts(_ node: PipeWireNode, in graph: PipeWireGraph) -> Bool {
    pinnedID != nil || !hasUsedInput || !graph.isFallbackOutput(node)
  }

  func id(of node: PipeWireNode) -> String { node.deviceID }

  func openStream(
    for node: PipeWireNode, in connection: PipeWireConnection, isReturning: Bool
  ) throws(DeviceError) -> PipeWireStream {
    let work = work
    let isPinned = pinnedID != nil
    var name = isPinned ? node.name : nil
    var channelCount = request.channelCount ?? node.channelCount
    if channelCount <= 0 { channelCount = 2 }
    filter = nil
    if request.isVoiceProcessed {
      let filter = try PipeWireVoiceProcessing.makeFilter(
        connection, device: node, isPinned: isPinned, remote: work.remote,
        channelCount: channelCount, unless: { work.isStopping })
      self.filter = filter
      name = filter.source
      if filter.capture != nil { channelCount = request.channelCount ?? min(channelCount, 2) }
    }
    let tap = PipeWireTap(
      sink: sink, gate: work.gate, wake: work.wake, pendingEvents: isReturning ? .returned : [])
    let stream = try PipeWireStream(
      .init(
        applicationName: request.applicationName, isPlayback: false, target: name,
        isMonitor: node.role == .sink && filter == nil, sampleRate: request.sampleRate,
        positions: PipeWirePositions.numbers(
          count: channelCount, of: filter == nil ? node.positions : []),
        blockMilliseconds: request.blockDuration.milliseconds),
      connection: connection, end: tap, condition: tap.condition)
    self.tap = tap
    return stream
  }

  /// Returns the node from which the stream reads.
  ///
  /// If this library's own filter is in between, returns the node from which the filter reads.
  func linkedNode(of stream: PipeWireStream, in graph: PipeWireGraph) -> PipeWireNode? {
    if let capture = filter?.capture {
      return graph.id(ofNodeNamed: capture).flatMap { graph.source(of: $0) }
    }
    return stream.node.flatMap { graph.source(of: $0) }
  }

  func announceChange() {
    tap?.announce(.changed)
  }

  func reportLoss() {
    // The data thread no longer writes to the sink, so this thread may.
    if work.gate.isOpen { sink.notify(.deviceLost, time: System.nanoseconds) }
  }

  func checkFlow(after stream: PipeWireStream) {}

  func report(_ node: PipeWireNode, in graph: PipeWireGraph) {
    let device = node.device(
      isDefault: graph.defaultNode == node, graphRate: graph.sampleRate)
    work.status.device = device
    if node.role == .source { hasUsedInput = true }
  }

  func reportDiagnostics(on stream: PipeWireStream) {
    var diagnostics: [String] = []
    if stream.isRealtime == false {
      diagnostics.append(
        "PipeWire's data thread has no real-time priority here; samples may be lost on a busy "
          + "machine.")
    }
    if let filter {
      diagnostics.append("Echo and noise are removed by PipeWire’s node \(filter.source).")
    }
    work.status.diagnostics = diagnostics
  }

  func releaseStream() {
    tap = nil
    filter = nil
  }
}
#endif
