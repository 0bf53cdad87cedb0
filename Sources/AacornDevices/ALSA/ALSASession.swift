#if os(Linux)
import AacornSystem
import CAacornALSA

/// The state shared by the thread that keeps a device open and the threads that start and stop it.
final class ALSASession: Sendable {
  /// The state that the thread reports.
  struct Report {
    var device: Device?
    /// The number of times that the device has stopped because the thread was late.
    var xrunCount = 0
    var diagnostics: [String] = []
    /// The reason why the device could not be opened initially.
    var openingError: CaptureError?
  }

  let report = Lock(Report())
  /// Signaled when the device is open or opening has failed.
  let opened = Semaphore()
  /// Signaled as the thread's last action.
  let ended = Semaphore()

  private let wake: (reading: Int32, writing: Int32)
  /// The time at which the end was requested; 0 before that.
  private let end = Atomic<Int64>(0)
  /// The gate to the sink or the feed.
  let gate = DeviceGate()

  init?() {
    guard let wake = System.makePipe() else { return nil }
    self.wake = wake
  }

  deinit {
    try? System.close(wake.reading)
    try? System.close(wake.writing)
  }

  /// A descriptor that becomes readable when the end is requested.
  var wakeDescriptor: Int32 { wake.reading }

  /// The time at which the end was requested; nil before that.
  var endTime: Int64? {
    let time = end.load(ordering: .acquiring)
    return time == 0 ? nil : time
  }

  /// Requests the thread to end.
  func requestEnd() {
    end.replace(0, with: System.nanoseconds)
    System.wake(wake.writing)
  }

  /// Waits, on the device's thread, for at most this many milliseconds or until the end is
  /// requested.
  func wait(_ library: ALSALibrary, milliseconds: Int) {
    guard milliseconds > 0 else { return }
    _ = unsafe library.functions.pointee.wait(
      library.functions, nil, wakeDescriptor, Int32(clamping: milliseconds))
  }

  /// Adds a diagnostic unless it is already present.
  func addDiagnostic(_ text: String) {
    report.withLock { if !$0.diagnostics.contains(text) { $0.diagnostics.append(text) } }
  }
}
#endif
