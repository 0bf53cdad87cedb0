#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A stream from a feed to one of the server's sinks.
///
/// The server requests bytes. Frames that the feed does not have are replaced by silence, so that
/// the stream never stalls.
final class PulsePlaybackStream: PulseStream {
  private let feed: PlaybackFeed

  /// The number of bytes of the stream that have been written.
  private var writtenByteCount: Int64 = 0
  /// A frame of the feed, and its position in the stream.
  private var lastFrame: (number: Int, position: Int64)?

  /// Opens a stream that stays silent until `flow`.
  init(
    _ connection: PulseConnection, _ target: Target, from feed: PlaybackFeed, until deadline: Int64
  ) throws(PulseFailure) {
    self.feed = feed
    try super.init(connection, named: "Playback", target.format)
    unsafe functions.pointee.stream_set_write_callback(
      handle, { unsafe PulseStream.at($2)?.serve() }, pointer)
    unsafe functions.pointee.stream_set_underflow_callback(
      handle, { unsafe (PulseStream.at($1) as? PulsePlaybackStream)?.starved() }, pointer)

    let latency = min(max(target.delay, .milliseconds(5)), .seconds(2))
    let frames = max(8, latency.sampleCount(at: target.format.rate))
    // The server requests an eighth of the buffer at a time, so it can leave half of the latency to
    // the device. A prebuffer of one frame lets the server resume immediately after an underrun:
    // silence fills the gap. Without a prebuffer the server would not wait at all, and samples
    // would be lost.
    var attributes = aacorn_pulse_buffer_attr(
      maxlength: .max, tlength: UInt32(clamping: frames * frameByteCount),
      prebuf: UInt32(clamping: frameByteCount),
      minreq: UInt32(clamping: frames / 8 * frameByteCount), fragsize: .max)
    let result = unsafe functions.pointee.stream_connect_playback(
      handle, target.deviceName, &attributes, Self.flags(for: target), nil, nil)
    try awaitOpening(result, until: deadline)
  }

  deinit {
    unsafe functions.pointee.stream_set_write_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_underflow_callback(handle, nil, nil)
  }

  // MARK: Samples

  /// Writes the first samples, so that playback starts immediately.
  override func prepare() { serve() }

  /// Writes the number of bytes that the server requests; the server requests more later.
  override func serve() {
    guard isFlowing else { return }
    while true {
      let wanted = writableByteCount
      guard wanted >= frameByteCount else { return }
      lastFlow = System.nanoseconds
      var data: UnsafeMutableRawPointer?
      var size = wanted
      guard unsafe functions.pointee.stream_begin_write(handle, &data, &size) >= 0,
        let destination = unsafe data
      else { return }
      let frameCount = min(size, wanted) / frameByteCount
      guard frameCount > 0 else { return }
      let samples = unsafe UnsafeMutableBufferPointer(
        start: destination.assumingMemoryBound(to: Float.self),
        count: frameCount * frameByteCount / 4)
      var read: Int?
      gate.perform { read = unsafe feed.read(into: samples) }
      guard let count = read else { return }
      if count > 0 {
        lastFrame = (feed.consumedFrameCount - count, writtenByteCount)
        recordPresentation()
      }
      let byteCount = frameCount * frameByteCount
      let result = unsafe functions.pointee.stream_write(
        handle, destination, byteCount, nil, 0, AACORN_PULSE_SEEK_RELATIVE)
      guard result >= 0 else { return }
      writtenByteCount += Int64(byteCount)
    }
  }

  private var writableByteCount: Int {
    let count = unsafe functions.pointee.stream_writable_size(handle)
    return count == .max ? 0 : Int(clamping: count)
  }

  /// Handles an underrun reported by the server: this thread was late.
  private func starved() {
    guard isFlowing, !isSuspended else { return }
    gate.perform { feed.countUnderrun() }
    requestTiming()
  }

  // MARK: Time

  /// Passes a report to the clock, and the resulting times to the feed.
  override func refine(_ report: PulseClock.Report) {
    super.refine(report)
    recordPresentation()
  }

  /// Passes the requested report to the clock, and the resulting times to the feed.
  override func handleTiming(_ isGranted: Bool) {
    super.handleTiming(isGranted)
    recordPresentation()
  }

  /// Reports to the feed the time at which its last frames play, once that time is known.
  private func recordPresentation() {
    guard let lastFrame, let time = clock.measuredTime(at: lastFrame.position) else { return }
    gate.perform { feed.recordPresentation(frame: lastFrame.number, soundsAt: time) }
  }

  /// The server's last report; nil while the stream does not play, because the server has no valid
  /// times.
  override var report: PulseClock.Report? {
    guard !isSuspended, let info = unsafe timing, unsafe info.pointee.playing != 0,
      unsafe info.pointee.read_index >= 0
    else { return nil }
    // For playback, `transport_usec` is the duration of the request's way to the server. This thread
    // may be late to handle the answer, so the age follows from the time of the report.
    return unsafe PulseClock.Report(
      writtenByteCount: info.pointee.read_index,
      transport: System.wallNanoseconds - aacorn_pulse_report_time(info),
      latency: -Int64(clamping: info.pointee.sink_usec) * 1000)
  }

  // MARK: Events

  /// Notifies the feed that another sink is in use.
  override func reportDeviceChange() { gate.perform { feed.notify(.deviceChanged) } }

  /// Notifies the feed that the sink was suspended or resumed.
  override func reportSuspension() {
    gate.perform { feed.notify(isSuspended ? .suspended : .resumed) }
  }
}
#endif
