#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A stream of the library, from its creation to its end.
///
/// Subclasses define the direction of the samples and the receiver of events. All calls are made
/// on the thread that runs the connection's loop.
@safe
class PulseStream: CallbackTarget {
  /// The device and format of a stream.
  struct Target {
    /// The name of the source or sink; nil follows the default one.
    var deviceName: String?
    var format: PulseFormat
    /// The duration of a captured block, or the time until a written sample is played.
    var delay: Duration
  }

  final let handle: OpaquePointer
  final let functions: UnsafePointer<aacorn_pulse_functions>
  final let frameByteCount: Int
  private let connection: PulseConnection

  /// The clock that converts stream positions to times.
  final var clock: PulseClock
  /// The time at which samples last flowed, or at which the wait for them began.
  final var lastFlow: Int64
  /// Whether the server has moved the stream to a device that has not been identified yet.
  final var hasMoved = false
  /// The number of received bytes from the device before the move that wait for delivery.
  final var byteCountBeforeMove = 0
  /// Whether the flow was started.
  final private(set) var isFlowing = false
  /// Whether the device was suspended at the server's last report.
  final private(set) var isSuspended = false
  /// The pending request for a timing report.
  private var timingRequest: OpaquePointer?

  /// Creates a stream that is not connected yet.
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
    // The library keeps its own reference until the server has confirmed the end of the stream.
    cancelRequest()
    unsafe _ = functions.pointee.stream_disconnect(handle)
    unsafe functions.pointee.stream_unref(handle)
  }

  /// The gate to the sink or the feed.
  final var gate: DeviceGate { connection.loop.gate }

  // MARK: Overridden by subclasses

  /// The number of received bytes that wait for delivery, which no further callback announces.
  var waitingByteCount: Int { 0 }

  /// Performs the work that is due now.
  func serve() {}

  /// Prepares the stream before samples flow.
  func prepare() {}

  /// Reports that another device is in use and has been identified.
  func reportDeviceChange() {}

  /// Reports that the device was suspended or resumed.
  func reportSuspension() {}

  /// The server's last report about the time; nil if it is not usable.
  var report: PulseClock.Report? { nil }

  /// Requests a report of the server's latency.
  func requestTiming() {
    cancelRequest()
    unsafe timingRequest = functions.pointee.stream_update_timing_info(
      handle, { unsafe PulseStream.at($2)?.handleAnswer($1 != 0) }, pointer)
  }

  /// Passes the requested report to the clock; the server may have been unable to make one.
  func handleTiming(_ isGranted: Bool) {
    clock.answer(isGranted ? report : nil, now: System.nanoseconds)
  }

  /// Passes a report to the clock, and requests another one if it contradicts the earlier ones.
  func refine(_ report: PulseClock.Report) {
    let isAsked = unsafe timingRequest != nil
    if clock.refine(report, now: System.nanoseconds, isAsked: isAsked) { requestTiming() }
  }
}

// MARK: State

extension PulseStream {
  private var state: aacorn_pulse_stream_state { unsafe functions.pointee.stream_get_state(handle) }

  /// Whether samples may still flow.
  var isGood: Bool { state == AACORN_PULSE_STREAM_READY }

  /// The number of the source or sink in use.
  var deviceIndex: UInt32 { unsafe functions.pointee.stream_get_device_index(handle) }

  /// Returns whether no samples have flowed for this long although the device is not suspended.
  func isSilent(for milliseconds: Int64, now: Int64) -> Bool {
    !isSuspended && now - lastFlow > milliseconds * 1_000_000
  }

  /// The library's timing information; nil before the first report.
  var timing: UnsafePointer<aacorn_pulse_timing_info>? {
    unsafe functions.pointee.stream_get_timing_info(handle)
  }
}

// MARK: Opening

extension PulseStream {
  /// Returns the flags for connecting a stream.
  ///
  /// The stream starts stopped, the device's latency is adjusted to the requested latency, and the
  /// server does not move the stream from a chosen device.
  static func flags(for target: Target) -> aacorn_pulse_stream_flags {
    var flags =
      AACORN_PULSE_STREAM_START_CORKED.rawValue | AACORN_PULSE_STREAM_ADJUST_LATENCY.rawValue
      | AACORN_PULSE_STREAM_AUTO_TIMING_UPDATE.rawValue
    if target.deviceName != nil { flags |= AACORN_PULSE_STREAM_DONT_MOVE.rawValue }
    return aacorn_pulse_stream_flags(rawValue: flags)
  }

  /// Waits until the stream is open; `result` is the result of the connection call.
  func awaitOpening(_ result: Int32, until deadline: Int64) throws(PulseFailure) {
    guard result >= 0 else { throw .refused(-result) }
    let hasAnswered = connection.wait(until: deadline) { [self] in
      state != AACORN_PULSE_STREAM_CREATING
    }
    guard hasAnswered else {
      throw connection.stopsWaitingAtEnd && connection.loop.isEnding ? .ended : .noAnswer
    }
    guard isGood else { throw connection.failure }
  }

  /// Starts the flow of a stream that was opened stopped.
  func flow() {
    lastFlow = System.nanoseconds
    isFlowing = true
    prepare()
    if let operation = unsafe functions.pointee.stream_cork(handle, 0, nil, nil) {
      unsafe functions.pointee.operation_unref(operation)
    }
    suspensionChanged()
    requestTiming()
  }
}

// MARK: Callbacks

extension PulseStream {
  /// Sets the callbacks, which `deinit` clears.
  ///
  /// A subclass clears the callbacks that it sets.
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
    // Samples that arrived before are of the former device, so the change is reported after them.
    if !hasMoved { byteCountBeforeMove = waitingByteCount }
    hasMoved = true
    suspensionChanged()
    requestTiming()
  }

  private func suspensionChanged() {
    let isAsleep = unsafe functions.pointee.stream_is_suspended(handle) == 1
    guard isFlowing, isAsleep != isSuspended else { return }
    isSuspended = isAsleep
    lastFlow = System.nanoseconds
    reportSuspension()
    guard !isAsleep else { return }
    clock.reset()
    requestTiming()
  }

  private func handleAnswer(_ isGranted: Bool) {
    cancelRequest()
    handleTiming(isGranted)
  }

  private func reported() {
    if let report { refine(report) }
  }

  /// Cancels the request, because the response has arrived or is not needed any more.
  private func cancelRequest() {
    guard let operation = unsafe timingRequest else { return }
    unsafe functions.pointee.operation_cancel(operation)
    unsafe functions.pointee.operation_unref(operation)
    unsafe timingRequest = nil
  }
}
#endif
