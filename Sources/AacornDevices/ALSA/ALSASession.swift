#if os(Linux)
import AacornSystem
import Synchronization

/// What the thread of a capture shares with those who start and stop it.
final class ALSASession: Sendable {
  /// What the thread tells of itself.
  struct Report {
    var device: CaptureDevice?
    var remarks: [String] = []
    /// Why the device could not be opened at first.
    var refusal: CaptureError?
  }

  let sink: CaptureSink
  let report = Lock(Report())
  /// Signaled when the device is open, or is refused.
  let opened = Semaphore()
  /// Signaled as the last thing the thread does.
  let ended = Semaphore()

  private let wake: (reading: Int32, writing: Int32)
  /// When the end was asked for; 0 before.
  private let end = Atomic<Int64>(0)
  private let gate = Atomic<Int>(gateOpen)
  private static let gateOpen = 0
  private static let gateInUse = 1
  private static let gateShut = 2

  init?(_ sink: CaptureSink) {
    guard let wake = System.makePipe() else { return nil }
    self.wake = wake
    self.sink = sink
  }

  deinit {
    try? System.close(wake.reading)
    try? System.close(wake.writing)
  }

  /// Readable as soon as the end was asked for.
  var wakeDescriptor: Int32 { wake.reading }

  /// When the end was asked for; nil before.
  var endTime: Int64? {
    let time = end.load(ordering: .acquiring)
    return time == 0 ? nil : time
  }

  /// Asks the thread to end.
  func requestEnd() {
    _ = end.compareExchange(
      expected: 0, desired: System.nanoseconds, ordering: .acquiringAndReleasing)
    System.poke(wake.writing)
  }

  /// Hands something to the sink; for the thread, which never waits here.
  func pass(_ body: (CaptureSink) -> Void) {
    let isOpen = gate.compareExchange(
      expected: Self.gateOpen, desired: Self.gateInUse, ordering: .acquiring
    ).exchanged
    guard isOpen else { return }
    body(sink)
    gate.store(Self.gateOpen, ordering: .releasing)
  }

  /// Keeps anything more from the sink, even if the thread hangs in the library and comes back.
  func shut() {
    while gate.load(ordering: .relaxed) != Self.gateShut {
      // In use means some microseconds, and only if the thread has just come back.
      _ = gate.weakCompareExchange(
        expected: Self.gateOpen, desired: Self.gateShut, ordering: .acquiring)
    }
  }

  /// Adds a remark that is not there yet.
  func remark(_ text: String) {
    report.withLock { if !$0.remarks.contains(text) { $0.remarks.append(text) } }
  }
}
#endif
