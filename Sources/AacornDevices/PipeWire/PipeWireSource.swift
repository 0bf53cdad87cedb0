#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// Captures through PipeWire's native interface.
///
/// A separate thread opens the stream, watches it and reopens it when the device or the server
/// returns; the samples arrive on PipeWire's data thread.
public final class PipeWireSource: CaptureSource, ThreadedDevice {
  private let request: CaptureRequest
  private let remote: String?
  private let library: PipeWireLibrary
  let thread = DeviceThread<PipeWireWorker>()

  package init(
    _ request: CaptureRequest, remote: String? = nil, library: PipeWireLibrary = .system
  ) {
    self.request = request
    self.remote = remote
    self.library = library
  }

  /// Always true: block times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Opens the device and starts capturing; blocks and events go to `sink`.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    let work = PipeWireWorker(remote: remote, library)
    try thread.start(request.device.pinnedID ?? "default", work) { [request] work in
      work.run(PipeWireCapture(request, work, sink: sink))
    }
  }
}

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
    work.gate.perform { sink.notify(.deviceLost, time: System.nanoseconds) }
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

/// Connects a stream to the sink; its `take` runs on PipeWire's data thread.
final class PipeWireTap: CallbackTarget, Sendable {
  let condition: PipeWireStreamCondition
  private let sink: CaptureSink
  private let gate: DeviceGate

  init(_ condition: PipeWireStreamCondition, sink: CaptureSink, gate: DeviceGate) {
    self.condition = condition
    self.sink = sink
    self.gate = gate
  }

  /// Writes the pending events and then the block to the sink, on the data thread.
  func take(_ block: aacorn_pw_block) {
    gate.perform { unsafe deliver(block) }
  }

  private func deliver(_ block: aacorn_pw_block) {
    let time = unsafe block.time != 0 ? block.time : estimatedTime(of: block)
    let pending = condition.takeEvents()
    if pending.contains(.returned) { sink.notify(.deviceReturned, time: time) }
    if pending.contains(.changed) { sink.notify(.deviceChanged, time: time) }
    let missed = Int(clamping: unsafe block.missed_frame_count)
    let overrun = Int(clamping: unsafe block.overrun_frame_count)
    if let samples = unsafe block.samples {
      unsafe sink.write(
        CaptureBlock(
          frameCount: block.frame_count, channelCount: Int(block.channel_count),
          sampleRate: Int(block.sample_rate), time: time,
          isTimeReliable: block.is_time_reliable, lostFrameCount: missed &+ overrun,
          lossCause: overrun > missed ? .overrun : .programLate),
        UnsafeRawBufferPointer(
          start: samples, count: block.frame_count * Int(block.channel_count) * 4), .float32)
    }
    condition.flow()
  }

  /// Estimates a block's time without a graph clock, as if its last frame was captured just now.
  private func estimatedTime(of block: aacorn_pw_block) -> Int64 {
    System.nanoseconds
      - System.nanoseconds(
        ofFrames: Int64(unsafe block.frame_count), at: Int(unsafe block.sample_rate))
  }
}
#endif
