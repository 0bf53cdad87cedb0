#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A stream from one of the server's sources into a sink.
///
/// Everything happens on the thread that runs the connection's loop. From the library's callback to
/// the sink nothing is allocated, locked or logged.
@safe
final class PulseCaptureStream: PulseFlow {
  /// What a stream is made for.
  struct Target {
    /// The source's name; nil follows the default one.
    var sourceName: String?
    var format: PulseFormat
    var blockDuration: Duration
  }

  private let sink: CaptureSink
  private let stream: PulseStream
  private let format: PulseFormat
  private let frameByteCount: Int

  private var clock: PulseClock
  private var lastArrival: Int64
  private var lastQuestion: Int64 = 0
  private var isFlowing = false
  private var hasArrived = false
  private var isSuspended = false
  private var lostFrameCount = 0
  /// Frames that may be delivered now, see `serve`.
  private var allowance: Int

  /// Whether the stream's source has changed since this was last set to false.
  var hasMoved = false
  /// Whether to deliver everything at once.
  var isDraining = false

  /// Opens a stream that stays stopped until `flow`.
  init(
    _ connection: PulseConnection, _ target: Target, into sink: CaptureSink, until deadline: Int64
  ) throws(PulseFailure) {
    self.sink = sink
    format = target.format
    frameByteCount = target.format.frameByteCount
    clock = PulseClock(rate: target.format.rate, frameByteCount: frameByteCount)
    lastArrival = System.nanoseconds
    allowance = format.rate / 2

    stream = try PulseStream(connection, named: "Recording", target.format)
    setCallbacks()

    let block = min(max(target.blockDuration, .milliseconds(1)), .seconds(2))
    let blockFrames = max(1, block.sampleCount(at: format.rate))
    var attributes = aacorn_pulse_buffer_attr(
      maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
      fragsize: UInt32(clamping: blockFrames * frameByteCount))
    var flags =
      AACORN_PULSE_STREAM_START_CORKED.rawValue | AACORN_PULSE_STREAM_ADJUST_LATENCY.rawValue
      | AACORN_PULSE_STREAM_AUTO_TIMING_UPDATE.rawValue
    if target.sourceName != nil { flags |= AACORN_PULSE_STREAM_DONT_MOVE.rawValue }
    let result = unsafe functions.pointee.stream_connect_record(
      handle, target.sourceName, &attributes, aacorn_pulse_stream_flags(rawValue: flags))
    try stream.awaitOpening(result, until: deadline)
  }

  deinit {
    unsafe functions.pointee.stream_set_read_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_moved_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_suspended_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_latency_update_callback(handle, nil, nil)
  }

  private var handle: OpaquePointer { unsafe stream.handle }
  private var functions: UnsafePointer<aacorn_pulse_functions> { unsafe stream.functions }

  /// Whether samples may still come.
  var isGood: Bool { stream.isGood }

  /// The number of the source in use.
  var deviceIndex: UInt32 { stream.deviceIndex }

  /// Until when everything captured has been delivered; nil before the first block.
  var capturedUntil: Int64? { clock.capturedUntil }

  /// Whether received samples are still to be delivered.
  var hasBacklog: Bool { readableByteCount > 0 }

  /// Whether nothing has come for this long although the source is not asleep.
  func isSilent(for milliseconds: Int64, now: Int64) -> Bool {
    !isSuspended && now - lastArrival > milliseconds * 1_000_000
  }

  /// Starts capturing.
  func flow() {
    lastArrival = System.nanoseconds
    isFlowing = true
    stream.uncork()
    suspensionChanged()
    ask()
  }

  private var readableByteCount: Int {
    let count = unsafe functions.pointee.stream_readable_size(handle)
    return count == .max ? 0 : Int(clamping: count)
  }
}

// MARK: Samples

extension PulseCaptureStream {
  /// The server may hold more after the program has stalled; at most this much real time is
  /// delivered at once, and then five times real time, so that the sink has room for it.
  private static let burstMilliseconds: Int64 = 500

  /// Delivers what has arrived.
  func serve() {
    guard hasBacklog else { return }
    let now = System.nanoseconds
    let elapsed = min(max(0, (now - lastArrival) / 1000), Self.burstMilliseconds * 1000)
    // What the server reports before anything flows, or before a stall, may not hold.
    let isStandstill = !hasArrived || now - lastArrival > 500_000_000
    let isUnanswered = clock.hasOpenQuestion && now - lastQuestion > 500_000_000
    if isStandstill || isUnanswered { ask() }
    hasArrived = true
    lastArrival = now
    allowance = min(format.rate / 2, allowance + Int(elapsed) * format.rate / 200_000)
    while allowance > 0 || isDraining {
      var data: UnsafeRawPointer?
      var size = 0
      guard unsafe functions.pointee.stream_peek(handle, &data, &size) >= 0, size > 0 else {
        return
      }
      let frameCount = size / frameByteCount
      allowance -= frameCount
      if let data = unsafe data {
        unsafe give(data, frameCount: frameCount, now: now)
      } else {
        // A gap, as long as what should have been there.
        lostFrameCount += frameCount
        clock.skip(byteCount: Int64(frameCount * frameByteCount))
      }
      unsafe _ = functions.pointee.stream_drop(handle)
    }
  }

  private func give(_ data: UnsafeRawPointer, frameCount: Int, now: Int64) {
    let (time, isMeasured) = clock.time(
      at: readPosition, queued: Int64(readableByteCount), now: now)
    let block = CaptureBlock(
      frameCount: frameCount, channelCount: format.positions.count, sampleRate: format.rate,
      time: time, isTimeReliable: isMeasured, lostFrameCount: lostFrameCount,
      lossCause: lostFrameCount > 0 ? .serverHole : .overrun, layout: format.layout)
    unsafe sink.write(block, data, format.sample)
    clock.advance(from: time, byteCount: Int64(frameCount * frameByteCount))
    lostFrameCount = 0
  }

  /// How many bytes of the stream have been read, as the server counts.
  private var readPosition: Int64? {
    guard let info = unsafe functions.pointee.stream_get_timing_info(handle),
      unsafe info.pointee.read_index_corrupt == 0
    else { return nil }
    return unsafe info.pointee.read_index
  }
}

// MARK: Time

extension PulseCaptureStream {
  /// Asks the server how late it is, and trusts no time until it answers.
  private func ask() {
    unsafe stream.ask({ unsafe PulseCaptureStream.at($2)?.answered($1 != 0) }, pointer)
    lastQuestion = System.nanoseconds
    clock.ask()
  }

  private func answered(_ isGranted: Bool) {
    stream.withdrawQuestion()
    clock.answer(isGranted ? report : nil, now: System.nanoseconds)
  }

  private func reported() {
    if let report { clock.refine(report, now: System.nanoseconds) }
  }

  private var report: PulseClock.Report? {
    guard !isSuspended, let info = unsafe functions.pointee.stream_get_timing_info(handle),
      unsafe info.pointee.write_index >= 0
    else { return nil }
    let latency =
      unsafe Int64(clamping: info.pointee.source_usec) - Int64(clamping: info.pointee.sink_usec)
    return unsafe PulseClock.Report(
      writtenByteCount: info.pointee.write_index,
      transport: Int64(clamping: info.pointee.transport_usec) * 1000, latency: latency * 1000)
  }
}

// MARK: Callbacks

extension PulseCaptureStream {
  private var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseCaptureStream? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<PulseCaptureStream>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func setCallbacks() {
    unsafe functions.pointee.stream_set_read_callback(
      handle, { unsafe PulseCaptureStream.at($2)?.serve() }, pointer)
    unsafe functions.pointee.stream_set_moved_callback(
      handle, { unsafe PulseCaptureStream.at($1)?.moved() }, pointer)
    unsafe functions.pointee.stream_set_suspended_callback(
      handle, { unsafe PulseCaptureStream.at($1)?.suspensionChanged() }, pointer)
    unsafe functions.pointee.stream_set_latency_update_callback(
      handle, { unsafe PulseCaptureStream.at($1)?.reported() }, pointer)
  }

  private func moved() {
    guard isFlowing else { return }
    hasMoved = true
    sink.notify(.deviceChanged, time: System.nanoseconds)
    suspensionChanged()
    ask()
  }

  private func suspensionChanged() {
    let isAsleep = stream.isSuspended
    guard isFlowing, isAsleep != isSuspended else { return }
    isSuspended = isAsleep
    lastArrival = System.nanoseconds
    sink.notify(isAsleep ? .suspended : .resumed, time: lastArrival)
    guard !isAsleep else { return }
    clock.forget()
    ask()
  }
}
#endif
