#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// Connects a stream to the feed; its `fill` runs on PipeWire's data thread.
final class PipeWireRenderer: Sendable {
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
