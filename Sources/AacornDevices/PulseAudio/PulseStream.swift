#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// One of the library's streams: made, opened, asked for the time, ended.
///
/// Everything happens on the thread that runs the connection's loop. Whoever sets a callback takes
/// it back before releasing the stream.
@safe
final class PulseStream {
  let connection: PulseConnection
  let handle: OpaquePointer
  let functions: UnsafePointer<aacorn_pulse_functions>
  /// The pending question about the time.
  private var question: OpaquePointer?

  /// Makes a stream that is not connected to anything yet.
  init(
    _ connection: PulseConnection, named name: String, _ format: PulseFormat
  ) throws(PulseFailure) {
    self.connection = connection
    unsafe functions = connection.loop.library.functions
    var specification = format.specification
    var map = format.channelMap
    guard
      let handle = unsafe functions.pointee.stream_new(
        connection.context, name, &specification, &map)
    else { throw .refused(connection.lastError) }
    unsafe self.handle = handle
  }

  deinit {
    // The library keeps the stream until the server has confirmed its end.
    withdrawQuestion()
    unsafe _ = functions.pointee.stream_disconnect(handle)
    unsafe functions.pointee.stream_unref(handle)
  }

  private var state: aacorn_pulse_stream_state { unsafe functions.pointee.stream_get_state(handle) }

  /// Whether samples may still flow.
  var isGood: Bool { state == AACORN_PULSE_STREAM_READY }

  /// The number of the source or sink in use.
  var deviceIndex: UInt32 { unsafe functions.pointee.stream_get_device_index(handle) }

  /// Whether the device is asleep.
  var isSuspended: Bool { unsafe functions.pointee.stream_is_suspended(handle) == 1 }

  /// Waits until the server has answered the request to connect, which had this result.
  func awaitOpening(_ result: Int32, until deadline: Int64) throws(PulseFailure) {
    guard result >= 0 else { throw .refused(-result) }
    let isOver = connection.wait(until: deadline) { [self] in
      state != AACORN_PULSE_STREAM_CREATING
    }
    guard isOver else {
      throw connection.heedsEnd && connection.loop.isEnding ? .ended : .noAnswer
    }
    guard isGood else { throw connection.failure }
  }

  /// Lets a stream flow that was opened standing still.
  func uncork() {
    if let operation = unsafe functions.pointee.stream_cork(handle, 0, nil, nil) {
      unsafe functions.pointee.operation_unref(operation)
    }
  }

  /// Asks the server how late it is; `answer` is called with `target`, and has to call
  /// `withdrawQuestion`.
  func ask(
    _ answer: @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutableRawPointer?) -> Void,
    _ target: UnsafeMutableRawPointer
  ) {
    withdrawQuestion()
    unsafe question = functions.pointee.stream_update_timing_info(handle, answer, target)
  }

  /// Forgets the question: it is answered, or the answer is of no use any more.
  func withdrawQuestion() {
    guard let operation = unsafe question else { return }
    unsafe functions.pointee.operation_cancel(operation)
    unsafe functions.pointee.operation_unref(operation)
    unsafe question = nil
  }
}
#endif
