#if os(Linux)
import AacornSystem
import CAacornALSA

/// What the thread that has a device open shares with those who start and stop it.
final class ALSASession: Sendable {
  /// What the thread reports about itself.
  struct Report {
    var device: ALSADevice?
    /// How often the device has stopped because the thread was late.
    var xrunCount = 0
    var remarks: [String] = []
    /// Why the device could not be opened initially.
    var refusal: CaptureError?
  }

  let report = Lock(Report())
  /// Signaled when the device is open or opening has failed.
  let opened = Semaphore()
  /// Signaled as the thread's last act.
  let ended = Semaphore()

  private let wake: (reading: Int32, writing: Int32)
  /// When the end was requested; 0 before.
  private let end = Atomic<Int64>(0)
  private let gate = Atomic<Int>(gateOpen)
  private static let gateOpen = 0
  private static let gateInUse = 1
  private static let gateShut = 2

  init?() {
    guard let wake = System.makePipe() else { return nil }
    self.wake = wake
  }

  deinit {
    try? System.close(wake.reading)
    try? System.close(wake.writing)
  }

  /// Readable as soon as the end has been requested.
  var wakeDescriptor: Int32 { wake.reading }

  /// When the end was requested; nil before.
  var endTime: Int64? {
    let time = end.load(ordering: .acquiring)
    return time == 0 ? nil : time
  }

  /// Asks the thread to end.
  func requestEnd() {
    end.replace(0, with: System.nanoseconds)
    System.poke(wake.writing)
  }

  /// Waits, on the thread, but not past the end.
  func rest(_ library: ALSALibrary, milliseconds: Int) {
    guard milliseconds > 0 else { return }
    _ = unsafe aacorn_alsa_wait(
      library.functions, nil, wakeDescriptor, Int32(clamping: milliseconds))
  }

  /// Has something to do with the sink or the feed done, on the thread, without ever waiting; not
  /// after the end.
  func pass(_ body: () -> Void) {
    guard gate.replace(Self.gateOpen, with: Self.gateInUse) else { return }
    body()
    gate.store(Self.gateOpen, ordering: .releasing)
  }

  /// Blocks whatever would be passed from here on, even if the thread later returns from a hang in
  /// the library.
  func shut() {
    while gate.load(ordering: .relaxed) != Self.gateShut {
      // The gate is in use for microseconds at most, and only if the thread has just come back.
      gate.replace(Self.gateOpen, with: Self.gateShut)
    }
  }

  /// Adds a remark unless it is already there.
  func remark(_ text: String) {
    report.withLock { if !$0.remarks.contains(text) { $0.remarks.append(text) } }
  }
}
#endif
