#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// libpulse's loop, which waits for the server and calls back.
///
/// One thread runs it and is the only one to call libpulse, so nothing of the library needs a lock.
/// The library's own threaded loop is not used: its lock is held during callbacks, which makes
/// programs hang in `stop`.
@safe
final class PulseLoop: DeviceRun, @unchecked Sendable {
  // Unchecked because of the pointer. Only `requestEnd` is called on other threads; it wakes the
  // loop by writing a byte to a pipe.

  // Every step of opening has its own time limit except the start of a server. So this limit is for
  // all steps together.
  static let openTimeout: Int64 = 20_000_000_000
  let endTimeout = 950

  let library: PulseLibrary
  /// The status of the thread that runs the loop.
  let status = DeviceStatus()
  /// The gate to the sink or the feed of the thread that runs the loop.
  let gate = DeviceGate()
  private let handle: OpaquePointer
  private let endTime = Atomic<Int64>(.max)

  init(_ library: PulseLibrary) throws(DeviceError) {
    self.library = library
    guard let handle = unsafe library.functions.pointee.mainloop_new() else {
      throw .system(
        operation: "use", id: "PulseAudio", reason: "the system has no memory or descriptors left")
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe library.functions.pointee.mainloop_free(handle)
  }

  var noThreadError: DeviceError {
    .system(operation: "start", id: "PulseAudio", reason: "the system has no threads left")
  }

  var timeoutError: DeviceError { .noServer(backend: .pulseAudio, reason: "it does not respond") }

  /// The loop's interface for new contexts.
  var api: OpaquePointer? { unsafe library.functions.pointee.mainloop_get_api(handle) }

  /// Whether the end was requested.
  var isEnding: Bool { endTime.load(ordering: .acquiring) != .max }

  /// The time at which the end was requested.
  var endRequestTime: Int64 { endTime.load(ordering: .acquiring) }

  /// Requests the thread that runs the loop to finish; for any thread.
  func requestEnd() {
    endTime.replace(.max, with: System.nanoseconds)
    unsafe library.functions.pointee.mainloop_wakeup(handle)
  }

  /// Waits for an event, until `deadline` at the latest, and handles it.
  func turn(until deadline: Int64) {
    let microseconds = Int32(clamping: max(0, deadline - System.nanoseconds + 999) / 1000)
    let functions = unsafe library.functions
    guard unsafe functions.pointee.mainloop_prepare(handle, microseconds) >= 0,
      unsafe functions.pointee.mainloop_poll(handle) >= 0,
      unsafe functions.pointee.mainloop_dispatch(handle) >= 0
    else {
      // An error has never been observed here. The pause prevents a broken loop from using a whole
      // processor.
      return System.sleep(milliseconds: 10)
    }
  }
}
#endif
