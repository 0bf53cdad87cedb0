#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// One of the library's streams: made, opened, asked for the time, ended.
///
/// Which way samples flow, and who is told what happens, is up to the kinds of streams. Everything
/// happens on the thread that runs the connection's loop.
@safe
class PulseStream {
  /// What a stream is made for.
  struct Target {
    /// The name of the source or sink; nil follows the default one.
    var deviceName: String?
    var format: PulseFormat
    /// How long a captured block lasts, or how long it takes until something written is heard.
    var delay: Duration
  }

  final let handle: OpaquePointer
  final let functions: UnsafePointer<aacorn_pulse_functions>
  final let frameByteCount: Int
  private let connection: PulseConnection

  /// Where in time the stream is.
  final var clock: PulseClock
  /// When samples last flowed, or began to be waited for.
  final var lastFlow: Int64
  /// Whether the server has moved the stream to a device that has not been identified yet.
  final var hasMoved = false
  /// Whether the stream was let flow.
  final private(set) var isFlowing = false
  /// Whether the device was asleep when the server last told.
  final private(set) var isSuspended = false
  /// The pending question about the time.
  private var question: OpaquePointer?

  /// Makes a stream that is not connected to anything yet.
  init(
    _ connection: PulseConnection, named name: String, _ format: PulseFormat
  ) throws(PulseFailure) {
    self.connection = connection
    frameByteCount = format.frameByteCount
    clock = PulseClock(rate: format.rate, frameByteCount: format.frameByteCount)
    lastFlow = System.nanoseconds
    unsafe functions = connection.loop.library.functions
    var specification = format.specification
    var map = format.channelMap
    guard
      let handle = unsafe functions.pointee.stream_new(
        connection.context, name, &specification, &map)
    else { throw .refused(connection.lastError) }
    unsafe self.handle = handle
    setCallbacks()
  }

  deinit {
    unsafe functions.pointee.stream_set_moved_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_suspended_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_latency_update_callback(handle, nil, nil)
    // The library keeps the stream until the server has confirmed its end.
    withdrawQuestion()
    unsafe _ = functions.pointee.stream_disconnect(handle)
    unsafe functions.pointee.stream_unref(handle)
  }

  // MARK: What the kinds of streams differ in

  /// Whether there is something left to do that no callback will bring up again.
  var hasBacklog: Bool { false }

  /// Does what there is to do now.
  func serve() {}

  /// Does what there is to do before samples flow.
  func prepare() {}

  /// Handles a move to another device, before the device is identified.
  func noteMove() {}

  /// Tells that the device is another one, which has been identified.
  func tellMove() {}

  /// Tells that the device fell asleep, or woke up.
  func tellSleep() {}

  /// What the server last told about the time; nil if that is of no use.
  var report: PulseClock.Report? { nil }

  /// Asks the server how late it is.
  func ask() {
    withdrawQuestion()
    unsafe question = functions.pointee.stream_update_timing_info(
      handle, { unsafe PulseStream.at($2)?.takeAnswer($1 != 0) }, pointer)
  }

  /// Has the clock take the report that was asked for; the server may have had none to make.
  func answered(_ isGranted: Bool) {
    clock.answer(isGranted ? report : nil, now: System.nanoseconds)
  }

  /// Has the clock take a report, and asks again if it contradicts the earlier ones.
  func refine(_ report: PulseClock.Report) {
    let isAsked = unsafe question != nil
    if clock.refine(report, now: System.nanoseconds, isAsked: isAsked) { ask() }
  }
}

// MARK: State

extension PulseStream {
  private var state: aacorn_pulse_stream_state { unsafe functions.pointee.stream_get_state(handle) }

  /// Whether samples may still flow.
  var isGood: Bool { state == AACORN_PULSE_STREAM_READY }

  /// The number of the source or sink in use.
  var deviceIndex: UInt32 { unsafe functions.pointee.stream_get_device_index(handle) }

  /// Whether nothing has flowed for this long although the device is not asleep.
  func isSilent(for milliseconds: Int64, now: Int64) -> Bool {
    !isSuspended && now - lastFlow > milliseconds * 1_000_000
  }

  /// What the library knows about the time; nil before it knows anything.
  var timing: UnsafePointer<aacorn_pulse_timing_info>? {
    unsafe functions.pointee.stream_get_timing_info(handle)
  }
}

// MARK: Opening

extension PulseStream {
  /// How a stream is connected: it stands still, its device's delay follows what it asks for, and a
  /// device that was chosen is kept.
  static func flags(for target: Target) -> aacorn_pulse_stream_flags {
    var flags =
      AACORN_PULSE_STREAM_START_CORKED.rawValue | AACORN_PULSE_STREAM_ADJUST_LATENCY.rawValue
      | AACORN_PULSE_STREAM_AUTO_TIMING_UPDATE.rawValue
    if target.deviceName != nil { flags |= AACORN_PULSE_STREAM_DONT_MOVE.rawValue }
    return aacorn_pulse_stream_flags(rawValue: flags)
  }

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
  func flow() {
    lastFlow = System.nanoseconds
    isFlowing = true
    prepare()
    if let operation = unsafe functions.pointee.stream_cork(handle, 0, nil, nil) {
      unsafe functions.pointee.operation_unref(operation)
    }
    suspensionChanged()
    ask()
  }
}

// MARK: Callbacks

extension PulseStream {
  /// The stream as the library's callbacks get it; a kind of stream that sets further ones takes
  /// them back before it is released.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// The stream that a callback got.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseStream? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<PulseStream>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func setCallbacks() {
    unsafe functions.pointee.stream_set_moved_callback(
      handle, { unsafe PulseStream.at($1)?.moved() }, pointer)
    unsafe functions.pointee.stream_set_suspended_callback(
      handle, { unsafe PulseStream.at($1)?.suspensionChanged() }, pointer)
    unsafe functions.pointee.stream_set_latency_update_callback(
      handle, { unsafe PulseStream.at($1)?.reported() }, pointer)
  }

  private func moved() {
    guard isFlowing else { return }
    hasMoved = true
    noteMove()
    suspensionChanged()
    ask()
  }

  private func suspensionChanged() {
    let isAsleep = unsafe functions.pointee.stream_is_suspended(handle) == 1
    guard isFlowing, isAsleep != isSuspended else { return }
    isSuspended = isAsleep
    lastFlow = System.nanoseconds
    tellSleep()
    guard !isAsleep else { return }
    clock.forget()
    ask()
  }

  private func takeAnswer(_ isGranted: Bool) {
    withdrawQuestion()
    answered(isGranted)
  }

  private func reported() {
    if let report { refine(report) }
  }

  /// Forgets the question: it is answered, or the answer is of no use any more.
  private func withdrawQuestion() {
    guard let operation = unsafe question else { return }
    unsafe functions.pointee.operation_cancel(operation)
    unsafe functions.pointee.operation_unref(operation)
    unsafe question = nil
  }
}
#endif
