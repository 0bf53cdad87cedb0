#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// The state of a stream, as reported by its callbacks to the watching thread.
final class PipeWireStreamCondition: Sendable {
  /// The state of a stream.
  struct State: Sendable {
    var number = Int(AACORN_PW_STREAM_STATE_CONNECTING.rawValue)
    var error: String?
    /// Whether an error occurred, or the session manager has removed the node.
    var isDead = false
  }

  private let wake: Semaphore
  private let flowed = Atomic<Bool>(false)
  private let state = Lock(State())

  init(wake: Semaphore) {
    self.wake = wake
  }

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
