#if os(Linux)
import AacornSystem

/// The status of a source's or target's thread, which the thread reports to its owner.
final class PulseAudioStatus: Sendable {
  private struct State {
    var device: Device?
    var diagnostics: [String] = []
    var opening: CaptureError??
  }

  private let state = Lock(State())
  private let opened = Semaphore()

  /// The device in use, or the last one.
  var device: Device? {
    get { state.withLock { $0.device } }
    set { state.withLock { $0.device = newValue } }
  }

  /// Diagnostics about the device and the thread.
  var diagnostics: [String] { state.withLock { $0.diagnostics } }

  /// Adds a diagnostic unless it is already present.
  func addDiagnostic(_ message: String?) {
    guard let message else { return }
    state.withLock {
      if !$0.diagnostics.contains(message) { $0.diagnostics.append(message) }
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
}
#endif
