#if os(Linux)
import AacornSystem

/// The stream handling of a ``PipeWireSource``'s thread.
final class PipeWireCapture: PipeWireUse {
  private let request: CaptureRequest
  private let work: PipeWireWorker
  private let sink: CaptureSink
  private var filter: PipeWireVoiceProcessing.Filter?

  init(_ request: CaptureRequest, _ work: PipeWireWorker, sink: CaptureSink) {
    self.request = request
    self.work = work
    self.sink = sink
  }

  var applicationName: String { request.applicationName }

  var pinnedID: String? { request.device.pinnedID }

  var direction: DeviceDirection { .capture }

  var mayLoadModule: Bool { request.isVoiceProcessed }

  var moduleNode: String? { filter?.capture }

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
    let condition = PipeWireStreamCondition(
      wake: work.wake, pendingEvents: isReturning ? .returned : [])
    return try PipeWireStream(
      .init(
        applicationName: request.applicationName, isPlayback: false, target: name,
        isMonitor: node.role == .sink && filter == nil, sampleRate: request.sampleRate,
        positions: PipeWirePositions.numbers(
          count: channelCount, of: filter == nil ? node.positions : []),
        blockMilliseconds: request.blockDuration.milliseconds),
      connection: connection, end: PipeWireTap(condition, sink: sink, gate: work.gate),
      condition: condition)
  }

  func reportLoss() {
    // The data thread no longer writes to the sink, so this thread may.
    if work.gate.isOpen { sink.notify(.deviceLost, time: System.nanoseconds) }
  }

  func checkFlow(after stream: PipeWireStream) {}

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
    filter = nil
  }
}
#endif
