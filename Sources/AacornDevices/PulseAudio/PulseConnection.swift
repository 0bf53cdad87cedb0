#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A connection to the sound server, used sequentially by one thread: request, wait, continue.
///
/// While waiting it runs the loop, so that a stream on the same connection keeps flowing.
@safe
final class PulseConnection {
  let loop: PulseLoop
  let context: OpaquePointer
  /// Whether waiting ends when the loop's end is requested; false during the cleanup after that.
  var stopsWaitingAtEnd = true
  /// Called on events of the server, see `watchDevices`.
  var onDeviceChange: () -> Void = {}

  private var functions: UnsafePointer<aacorn_pulse_functions> { unsafe loop.library.functions }

  /// Connects to `server`, or to the server in the user's settings if it is nil.
  ///
  /// With `mayStartServer`, a server is started if none is running and the settings allow it, as
  /// other programs do.
  init(
    _ loop: PulseLoop, applicationName: String, server: String?, mayStartServer: Bool,
    until deadline: Int64
  ) throws(DeviceError) {
    self.loop = loop
    guard
      let context = unsafe loop.library.functions.pointee.context_new(loop.api, applicationName)
    else {
      throw .system(operation: "use", id: "PulseAudio", reason: "the connection cannot be set up")
    }
    unsafe self.context = context
    let flags = mayStartServer ? AACORN_PULSE_CONTEXT_NOFLAGS : AACORN_PULSE_CONTEXT_NOAUTOSPAWN
    let result = unsafe functions.pointee.context_connect(context, server, flags, nil)
    if result >= 0 {
      _ = wait(until: deadline) { [self] in state == AACORN_PULSE_CONTEXT_READY || !isGood }
    }
    if state == AACORN_PULSE_CONTEXT_READY { return }
    if loop.isEnding {
      throw PulseFailure.ended.deviceError("start", "PulseAudio", loop.library)
    }
    let reason = result < 0 || !isGood ? loop.library.errorText(lastError) : "it does not respond"
    throw .noServer(backend: .pulseAudio, reason: reason)
  }

  deinit {
    unsafe functions.pointee.context_set_subscribe_callback(context, nil, nil)
    unsafe functions.pointee.context_disconnect(context)
    unsafe functions.pointee.context_unref(context)
  }

  private var state: aacorn_pulse_context_state {
    unsafe functions.pointee.context_get_state(context)
  }

  /// Whether the connection is established or being established.
  var isGood: Bool {
    state.rawValue > AACORN_PULSE_CONTEXT_UNCONNECTED.rawValue
      && state.rawValue <= AACORN_PULSE_CONTEXT_READY.rawValue
  }

  /// The number of the last error.
  var lastError: Int32 { unsafe functions.pointee.context_errno(context) }

  /// Runs the loop until `isDone` returns true; false on timeout, or if the end was requested.
  func wait(until deadline: Int64, _ isDone: () -> Bool) -> Bool {
    while !isDone() {
      if stopsWaitingAtEnd && loop.isEnding || System.nanoseconds >= deadline { return false }
      loop.turn(until: deadline)
    }
    return true
  }

  /// Waits for a request to the server to complete.
  func complete(_ operation: OpaquePointer?, until deadline: Int64) throws(PulseFailure) {
    guard let operation = unsafe operation else { throw failure }
    defer { unsafe functions.pointee.operation_unref(operation) }
    let isDone = wait(until: deadline) { [functions = unsafe functions] in
      unsafe functions.pointee.operation_get_state(operation) != AACORN_PULSE_OPERATION_RUNNING
    }
    guard isDone else {
      // After this call the library no longer calls the callback.
      unsafe functions.pointee.operation_cancel(operation)
      throw stopsWaitingAtEnd && loop.isEnding ? .ended : .noAnswer
    }
    // The library cancels pending operations when the connection ends.
    if unsafe functions.pointee.operation_get_state(operation) == AACORN_PULSE_OPERATION_CANCELLED {
      throw .disconnected
    }
  }

  /// The failure for `lastError`.
  var failure: PulseFailure { isGood ? .refused(lastError) : .disconnected }
}
#endif
