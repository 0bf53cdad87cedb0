#if os(Linux)
import AacornSystem

/// The report of a source's or target's thread to the owner.
final class PulseAudioStatus<Device: Sendable>: Sendable {
  private struct State {
    var device: Device?
    var remarks: [String] = []
    var opening: CaptureError??
  }

  private let state = Lock(State())
  private let opened = Semaphore()
  private let ended = Semaphore()

  /// The device in use, or the last one.
  var device: Device? {
    get { state.withLock { $0.device } }
    set { state.withLock { $0.device = newValue } }
  }

  /// Diagnostics about the device and the thread.
  var remarks: [String] { state.withLock { $0.remarks } }

  /// Adds a diagnostic unless it is already present.
  func remark(_ sentence: String?) {
    guard let sentence else { return }
    state.withLock {
      if !$0.remarks.contains(sentence) { $0.remarks.append(sentence) }
    }
  }

  /// Reports that the device is open, or could not be opened.
  func finishOpening(_ error: CaptureError?) {
    state.withLock { $0.opening = .some(error) }
    opened.signal()
  }

  /// Waits until the device is open or opening has failed; returns the error, or nil on success.
  func awaitOpening(until deadline: Int64) -> CaptureError? {
    while true {
      if let result = state.withLock({ $0.opening }) { return result }
      guard opened.wait(until: deadline) else {
        return .noServer(backend: .pulseAudio, reason: "it does not respond")
      }
    }
  }

  /// Reports that the thread is about to end.
  func finish() {
    ended.signal()
  }

  /// Waits for the thread to end; false on timeout.
  func awaitEnd(until deadline: Int64) -> Bool {
    ended.wait(until: deadline)
  }
}
#endif
