#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// The state of a stream, as reported by its callbacks to the watching thread, and the events that
/// this thread asks the data thread to report.
final class PipeWireStreamCondition: Sendable {
  /// The state of a stream.
  struct State: Sendable {
    var number = Int(AACORN_PW_STREAM_STATE_CONNECTING.rawValue)
    var error: String?
    /// Whether an error occurred, or the session manager has removed the node.
    var isDead = false
  }

  /// Events that the data thread reports before the next samples.
  struct Events: OptionSet {
    let rawValue: UInt8

    /// The device has returned.
    static let returned = Events(rawValue: 1)
    /// Another device is in use.
    static let changed = Events(rawValue: 2)
    /// The device is awake again.
    static let resumed = Events(rawValue: 4)
  }

  private let wake: Semaphore
  /// The pending events, which the data thread reports because it must be the only one that writes
  /// to the sink or the feed.
  private let pendingEvents: Atomic<UInt8>
  private let flowed = Atomic<Bool>(false)
  private let state = Lock(State())

  init(wake: Semaphore, pendingEvents: Events) {
    self.wake = wake
    self.pendingEvents = Atomic(pendingEvents.rawValue)
  }

  /// Requests that the data thread reports events before the next samples.
  func announce(_ events: Events) { pendingEvents.insert(events.rawValue) }

  /// Whether events are pending.
  var hasEvents: Bool { pendingEvents.load(ordering: .relaxed) != 0 }

  /// Returns and removes the pending events, on the data thread.
  func takeEvents() -> Events { Events(rawValue: pendingEvents.exchange(0)) }

  /// Whether samples have arrived or been requested.
  var hasFlowed: Bool { flowed.load(ordering: .acquiring) }

  var currentState: State { state.withLock { $0 } }

  /// Records that samples flow, on the data thread.
  func flow() {
    if flowed.load(ordering: .relaxed) { return }
    flowed.store(true, ordering: .releasing)
    wake.signal()
  }

  func setState(_ number: Int, _ error: String?) {
    state.withLock {
      $0.number = number
      $0.error = error ?? $0.error
      if number == Int(AACORN_PW_STREAM_STATE_ERROR.rawValue) { $0.isDead = true }
      if number == Int(AACORN_PW_STREAM_STATE_UNCONNECTED.rawValue) { $0.isDead = true }
    }
    wake.signal()
  }
}
#endif
