#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A stream from one of the server's sources into a sink.
///
/// The path from the library's callback to the sink neither allocates, locks nor logs.
final class PulseCaptureStream: PulseStream {
  private let sink: CaptureSink
  private let format: PulseFormat

  /// The time without samples after which the stream counts as stalled, in nanoseconds.
  private let stallNanoseconds: Int64

  private var lastRequestTime: Int64 = 0
  private var hasArrived = false
  private var lostFrameCount = 0
  /// The maximum number of received frames that are delivered in one burst: half a second.
  ///
  /// The server may have buffered more after the program has stalled. The remainder is delivered at
  /// five times real time, so that the sink has room for it.
  private let burstFrameCount: Int
  /// The number of frames that `serve` may deliver now.
  private var allowance: Int

  /// Whether `serve` delivers all received frames immediately.
  var isDraining = false

  /// Opens a stream that stays stopped until `flow`.
  init(
    _ connection: PulseConnection, _ target: Target, into sink: CaptureSink, until deadline: Int64
  ) throws(PulseFailure) {
    self.sink = sink
    format = target.format
    burstFrameCount = target.format.rate / 2
    allowance = burstFrameCount
    let block = min(max(target.delay, .milliseconds(1)), .seconds(2))
    let blockFrames = max(1, block.sampleCount(at: format.rate))
    stallNanoseconds =
      500_000_000 + System.nanoseconds(ofFrames: Int64(blockFrames), at: format.rate)
    try super.init(connection, named: "Recording", target.format)
    unsafe functions.pointee.stream_set_read_callback(
      handle, { unsafe PulseStream.at($2)?.serve() }, pointer)

    var attributes = aacorn_pulse_buffer_attr(
      maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
      fragsize: UInt32(clamping: blockFrames * frameByteCount))
    let result = unsafe functions.pointee.stream_connect_record(
      handle, target.deviceName, &attributes, Self.flags(for: target))
    try awaitOpening(result, until: deadline)
  }

  deinit {
    unsafe functions.pointee.stream_set_read_callback(handle, nil, nil)
  }

  /// The time up to which all captured frames have been delivered; nil before the first block.
  var capturedUntil: Int64? { clock.capturedUntil }

  // MARK: Samples

  override var waitingByteCount: Int {
    let count = unsafe functions.pointee.stream_readable_size(handle)
    return count == .max ? 0 : Int(clamping: count)
  }

  /// Whether received samples may be delivered: not those from a device that must not be used.
  private var hasUsableSamples: Bool {
    waitingByteCount > 0 && (!hasMoved || byteCountBeforeMove > 0)
  }

  /// Delivers received samples.
  override func serve() {
    guard hasUsableSamples else { return }
    let now = System.nanoseconds
    let elapsed = Int((now - lastFlow) / 1000)
    // A report from before the first samples, or from before a stall, may be invalid.
    let isStalled = !hasArrived || now - lastFlow > stallNanoseconds
    let isUnanswered = clock.hasPendingRequest && now - lastRequestTime > 500_000_000
    if isStalled || isUnanswered { requestTiming() }
    hasArrived = true
    lastFlow = now
    if !isDraining && clock.shouldWait(since: lastRequestTime, now: now) { return }
    allowance = min(burstFrameCount, allowance + elapsed * format.rate / 200_000)
    while hasUsableSamples, allowance > 0 || isDraining {
      var data: UnsafeRawPointer?
      var size = 0
      guard unsafe functions.pointee.stream_peek(handle, &data, &size) >= 0, size > 0 else {
        return
      }
      let frameCount = size / frameByteCount
      allowance -= frameCount
      if let data = unsafe data {
        unsafe deliver(
          UnsafeRawBufferPointer(start: data, count: size), frameCount: frameCount, now: now)
      } else {
        // The library reports a gap, with the size of the missing samples.
        lostFrameCount += frameCount
        clock.skip(byteCount: Int64(frameCount * frameByteCount))
      }
      unsafe _ = functions.pointee.stream_drop(handle)
      byteCountBeforeMove = max(0, byteCountBeforeMove - size)
    }
  }

  private func deliver(_ data: UnsafeRawBufferPointer, frameCount: Int, now: Int64) {
    let (time, isMeasured) = clock.time(
      at: readPosition, queued: Int64(waitingByteCount), now: now)
    let block = CaptureBlock(
      frameCount: frameCount, channelCount: format.positions.count, sampleRate: format.rate,
      time: time, isTimeReliable: isMeasured, lostFrameCount: lostFrameCount,
      lossCause: lostFrameCount > 0 ? .serverHole : .overrun, layout: format.layout)
    gate.perform { unsafe _ = sink.write(block, data, format.sample) }
    clock.advance(from: time, byteCount: Int64(frameCount * frameByteCount))
    lostFrameCount = 0
  }

  /// The number of bytes of the stream that have been read, as counted by the server.
  private var readPosition: Int64? {
    guard let info = unsafe timing, unsafe info.pointee.read_index_corrupt == 0 else { return nil }
    return unsafe info.pointee.read_index
  }

  // MARK: Time

  /// Requests the server's latency; until the response, times count as unreliable.
  override func requestTiming() {
    super.requestTiming()
    lastRequestTime = System.nanoseconds
    clock.recordRequest()
  }

  /// Restarts the clock with the requested report, if there is one.
  override func handleTiming(_ isGranted: Bool) {
    super.handleTiming(isGranted)
    // The first samples may have waited for this report.
    if clock.capturedUntil == nil { serve() }
  }

  /// The server's last report; nil while the source is suspended.
  override var report: PulseClock.Report? {
    guard !isSuspended, let info = unsafe timing, unsafe info.pointee.write_index >= 0 else {
      return nil
    }
    let latency =
      unsafe Int64(clamping: info.pointee.source_usec) - Int64(clamping: info.pointee.sink_usec)
    return unsafe PulseClock.Report(
      writtenByteCount: info.pointee.write_index,
      transport: Int64(clamping: info.pointee.transport_usec) * 1000, latency: latency * 1000)
  }

  // MARK: Events

  /// Notifies the sink that another source is in use.
  override func reportDeviceChange() {
    gate.perform { sink.notify(.deviceChanged, time: System.nanoseconds) }
  }

  /// Notifies the sink that the source was suspended or resumed.
  override func reportSuspension() {
    gate.perform { sink.notify(isSuspended ? .suspended : .resumed, time: lastFlow) }
  }
}
#endif
