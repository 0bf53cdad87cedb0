#if os(Linux)
import AacornSystem
import CAacornPulseAudio
import Synchronization

/// libpulse's loop, which waits for the server and calls back.
///
/// One thread turns it and alone calls libpulse, so nothing of the library needs a lock. The
/// library's own threaded loop is not used: its lock is held during callbacks, which is how
/// programs come to hang in `stop`.
@safe
final class PulseLoop: @unchecked Sendable {
  // Unchecked because of the pointer. Only `requestEnd` is for other threads; the wake-up in it is
  // a byte written into a pipe.

  let library: PulseLibrary
  private let handle: OpaquePointer
  private let endTime = Atomic<Int64>(.max)

  init(_ library: PulseLibrary) throws(CaptureError) {
    self.library = library
    guard let handle = unsafe library.functions.pointee.mainloop_new() else {
      throw .system(operation: "use", id: "PulseAudio", reason: "no memory or files left for it")
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe library.functions.pointee.mainloop_free(handle)
  }

  /// What new contexts want to know of the loop.
  var api: OpaquePointer? { unsafe library.functions.pointee.mainloop_get_api(handle) }

  /// Whether someone asked for the end.
  var isEnding: Bool { endTime.load(ordering: .acquiring) != .max }

  /// When the end was asked for.
  var endRequestTime: Int64 { endTime.load(ordering: .acquiring) }

  /// Asks the thread that turns the loop to come to an end; for any thread.
  func requestEnd() {
    _ = endTime.compareExchange(
      expected: .max, desired: System.nanoseconds, ordering: .acquiringAndReleasing)
    unsafe library.functions.pointee.mainloop_wakeup(handle)
  }

  /// Waits for something to happen, until `deadline` at the latest, and has it dealt with.
  func turn(until deadline: Int64) {
    let microseconds = Int32(clamping: max(0, deadline - System.nanoseconds + 999) / 1000)
    let functions = unsafe library.functions
    guard unsafe functions.pointee.mainloop_prepare(handle, microseconds) >= 0,
      unsafe functions.pointee.mainloop_poll(handle) >= 0,
      unsafe functions.pointee.mainloop_dispatch(handle) >= 0
    else {
      // Never seen; the pause keeps a broken loop from taking a whole processor.
      return System.sleep(milliseconds: 10)
    }
  }
}
#endif
