#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornPipeWire

/// Plays through PipeWire's native interface.
///
/// A separate thread opens the stream, watches it and reopens it when the device or the server
/// returns; PipeWire's data thread reads the samples.
public final class PipeWireTarget: PlaybackTarget, ThreadedDevice {
  private let request: PlaybackRequest
  private let remote: String?
  private let library: PipeWireLibrary
  let thread = DeviceThread<PipeWireWorker>()

  /// Creates a target for the server at a socket, or for the default server.
  package init(
    _ request: PlaybackRequest, remote: String? = nil, library: PipeWireLibrary = .system
  ) {
    self.request = request
    self.remote = remote
    self.library = library
  }

  /// The id of the only device to play on; nil follows the default.
  private var pinnedID: String? { request.device.pinnedID }

  /// Returns the rate and channels of the device; the server converts other formats.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let graph = try PipeWireSystem.graph(remote, library)
    let node: PipeWireNode
    if let pinnedID {
      guard let pinned = graph.node(forDevice: pinnedID, .playback) else {
        throw .unknownDevice(id: pinnedID, backend: .pipeWire)
      }
      node = pinned
    } else {
      guard let sink = graph.defaultNode(for: .playback) else {
        throw .noDevice(for: .playback, backend: .pipeWire)
      }
      node = sink
    }
    let device = graph.device(of: node, for: .playback, isDefault: false)
    let channelCount = device.channelCount > 0 ? device.channelCount : 2
    let layout = PipeWirePositions.layout(of: node.positions)
    return PlaybackFormat(
      sampleRate: device.sampleRate > 0 ? device.sampleRate : 48000, channelCount: channelCount,
      layout: layout?.speakers.count == channelCount ? layout : nil)
  }

  /// Opens the device for the feed's format, and begins to play.
  public func start(_ feed: PlaybackFeed) throws(DeviceError) {
    if feed.format.channelCount > Int(AACORN_PW_CHANNEL_LIMIT) {
      throw .unsupportedFormat(
        id: pinnedID ?? "default",
        reason: "PipeWire supports at most \(AACORN_PW_CHANNEL_LIMIT) channels")
    }
    let request = request
    let work = PipeWireWorker(remote: remote, library)
    try thread.start(pinnedID ?? "default", work) { work in
      work.run(PipeWirePlayback(request, feed, work))
    }
  }
}

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
    work.gate.perform { feed.notify(.deviceLost) }
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

/// Connects a stream to the feed; its `fill` runs on PipeWire's data thread.
final class PipeWireRenderer: CallbackTarget, Sendable {
  let condition: PipeWireStreamCondition
  private let feed: PlaybackFeed
  private let gate: DeviceGate
  /// Whether a thread is reporting an event: only one thread at a time may report events to the
  /// feed.
  private let isNotifying = Atomic<Bool>(false)
  private let isAsleep = Atomic<Bool>(false)
  private let lastFill = Atomic<Int64>(0)

  init(_ condition: PipeWireStreamCondition, feed: PlaybackFeed, gate: DeviceGate) {
    self.condition = condition
    self.feed = feed
    self.gate = gate
  }

  // MARK: The watching thread

  /// The time at which samples were last requested, by the monotonic clock.
  var lastFillTime: Int64 { lastFill.load(ordering: .acquiring) }

  /// Reports that the device is suspended; before the next samples, the data thread reports its
  /// return.
  func reportSuspension() {
    let wasAsleep = isAsleep.exchange(true)
    guard !wasAsleep, gate.isOpen else { return }
    // The data thread holds this flag for microseconds at most, and only if requests have just
    // resumed.
    while !beginNotifying() { System.spin() }
    feed.notify(.suspended)
    isNotifying.store(false, ordering: .releasing)
    condition.announce(.resumed)
  }

  // MARK: The data thread

  /// Reports the pending events to the feed, then fills the space with samples from the feed.
  func fill(_ space: aacorn_pw_space) {
    guard let start = unsafe space.samples else { return }
    let channelCount = Int(unsafe space.channel_count)
    let samples = unsafe UnsafeMutableBufferPointer(
      start: start, count: space.frame_count * channelCount)
    guard gate.isOpen, channelCount == feed.format.channelCount else {
      return unsafe samples.update(repeating: 0)
    }
    let now = System.nanoseconds
    lastFill.store(now, ordering: .releasing)
    passEvents()
    let count = unsafe feed.read(into: samples)
    let time = unsafe space.time
    // Silence has no frame numbers.
    if count > 0 {
      feed.recordPresentation(
        frame: feed.consumedFrameCount - count, soundsAt: time != 0 ? time : now)
    }
    condition.flow()
  }

  /// Reports the pending events to the feed.
  ///
  /// If the watching thread is reporting an event at this moment, the pending ones wait for the
  /// next cycle.
  private func passEvents() {
    guard condition.hasEvents, beginNotifying() else { return }
    let pending = condition.takeEvents()
    if pending.contains(.returned) { feed.notify(.deviceReturned) }
    if pending.contains(.changed) { feed.notify(.deviceChanged) }
    if pending.contains(.resumed) {
      isAsleep.store(false, ordering: .releasing)
      feed.notify(.resumed)
    }
    isNotifying.store(false, ordering: .releasing)
  }

  private func beginNotifying() -> Bool {
    isNotifying.replace(false, with: true)
  }
}
#endif
