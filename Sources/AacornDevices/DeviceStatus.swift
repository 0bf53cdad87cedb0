#if os(Linux)
import AacornSystem

/// The status of a source's or target's thread, which the thread reports to its owner.
final class DeviceStatus: Sendable {
  private struct State {
    var device: Device?
    var diagnostics: [String] = []
    var xrunCount = 0
    var opening: DeviceError??
  }

  private let state = Lock(State())
  private let opened = Semaphore()

  /// The device in use, or the last one.
  var device: Device? {
    get { state.withLock { $0.device } }
    set { state.withLock { $0.device = newValue } }
  }

  /// Diagnostics about the device and the thread.
  var diagnostics: [String] {
    get { state.withLock { $0.diagnostics } }
    set { state.withLock { $0.diagnostics = newValue } }
  }

  /// The number of times that the device has stopped because the thread was late.
  var xrunCount: Int { state.withLock { $0.xrunCount } }

  /// Adds a diagnostic unless it is already present.
  func addDiagnostic(_ message: String?) {
    guard let message else { return }
    state.withLock {
      if !$0.diagnostics.contains(message) { $0.diagnostics.append(message) }
    }
  }

  /// Counts a stop of the device because the thread was late.
  func countXrun() {
    state.withLock { $0.xrunCount += 1 }
  }

  /// Reports that the device is open, or could not be opened; only the first report counts.
  func finishOpening(_ error: DeviceError?) {
    state.withLock { if $0.opening == nil { $0.opening = .some(error) } }
    opened.signal()
  }

  /// Waits until the device is open or opening has failed; returns the error, or nil on success.
  func awaitOpening(until deadline: Int64, timeoutError: DeviceError) -> DeviceError? {
    while true {
      if let result = state.withLock({ $0.opening }) { return result }
      guard opened.wait(until: deadline) else { return timeoutError }
    }
  }
}
#endif
