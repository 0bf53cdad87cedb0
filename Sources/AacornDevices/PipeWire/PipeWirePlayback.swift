#if os(Linux)
import AacornSystem

/// The stream handling of a ``PipeWireTarget``'s thread.
final class PipeWirePlayback: PipeWireUse {
  /// The time without requests after which the device of a linked stream is considered suspended.
  private static let sleepNanoseconds: Int64 = 2_000_000_000

  private let request: PlaybackRequest
  private let feed: PlaybackFeed
  private let work: PipeWireWorker
  private var renderer: PipeWireRenderer?

  /// Creates the use without a reference to the target, so that releasing the target ends the
  /// thread.
  init(
    _ request: PlaybackRequest, _ feed: PlaybackFeed, _ work: PipeWireWorker
  ) {
    self.request = request
    self.feed = feed
    self.work = work
  }

  var applicationName: String { request.applicationName }

  var pinnedID: String? { request.device.pinnedID }

  var direction: DeviceDirection { .playback }

  var mayLoadModule: Bool { false }

  var moduleNode: String? { nil }

  func openStream(
    for node: PipeWireNode, in connection: PipeWireConnection, isReturning: Bool
  ) throws(DeviceError) -> PipeWireStream {
    let condition = PipeWireStreamCondition(
      wake: work.wake, pendingEvents: isReturning ? .returned : [])
    let renderer = PipeWireRenderer(condition, feed: feed, gate: work.gate)
    let stream = try PipeWireStream(
      .init(
        applicationName: request.applicationName, isPlayback: true,
        target: pinnedID == nil ? nil : node.name, isMonitor: false,
        sampleRate: feed.format.sampleRate,
        positions: PipeWirePositions.numbers(of: feed.format, on: node.positions),
        blockMilliseconds: request.latency.milliseconds),
      connection: connection, end: renderer, condition: condition)
    self.renderer = renderer
    return stream
  }

  func reportLoss() {
    if work.gate.isOpen { feed.notify(.deviceLost) }
  }

  func checkFlow(after stream: PipeWireStream) {
    guard let renderer, renderer.condition.hasFlowed else { return }
    if System.nanoseconds - renderer.lastFillTime >= Self.sleepNanoseconds {
      renderer.reportSuspension()
    }
  }

  func reportDiagnostics(on stream: PipeWireStream) {
    guard stream.isRealtime == false else { return }
    work.status.diagnostics = [
      "PipeWire's data thread has no real-time priority here; sound may be interrupted on a busy "
        + "machine."
    ]
  }

  func releaseStream() {
    renderer = nil
  }
}
#endif
