#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A stream from a feed to one of the server's sinks.
///
/// Everything happens on the thread that runs the connection's loop. The server says how much it
/// wants; what the feed does not have is silence, so that the stream never stands still.
@safe
final class PulsePlaybackStream: PulseFlow {
  /// What a stream is made for.
  struct Target {
    /// The sink's name; nil follows the default one.
    var sinkName: String?
    var format: PulseFormat
    var latency: Duration
  }

  private let feed: PlaybackFeed
  private let stream: PulseStream
  private let frameByteCount: Int

  private var clock: PulseClock
  private var lastRequest: Int64
  private var isFlowing = false
  private var isSuspended = false
  /// How much of the stream has been written.
  private var writtenByteCount: Int64 = 0
  /// A frame of the feed, and where it is in the stream.
  private var lastFrame: (number: Int, position: Int64)?

  /// Whether the stream's sink has changed since this was last set to false.
  var hasMoved = false

  /// Opens a stream that stays silent until `flow`.
  init(
    _ connection: PulseConnection, _ target: Target, from feed: PlaybackFeed, until deadline: Int64
  ) throws(PulseFailure) {
    self.feed = feed
    frameByteCount = target.format.frameByteCount
    clock = PulseClock(rate: target.format.rate, frameByteCount: frameByteCount)
    lastRequest = System.nanoseconds
    stream = try PulseStream(connection, named: "Playback", target.format)
    setCallbacks()

    let latency = min(max(target.latency, .milliseconds(5)), .seconds(2))
    let frames = max(8, latency.sampleCount(at: target.format.rate))
    // Asked for in eighths, the server may leave half of the latency to the device. A single frame is
    // enough for it to go on: where this program is late, silence comes in between and no sample is
    // lost, as some would be if the server did not wait at all.
    var attributes = aacorn_pulse_buffer_attr(
      maxlength: .max, tlength: UInt32(clamping: frames * frameByteCount),
      prebuf: UInt32(clamping: frameByteCount),
      minreq: UInt32(clamping: frames / 8 * frameByteCount), fragsize: .max)
    var flags =
      AACORN_PULSE_STREAM_START_CORKED.rawValue | AACORN_PULSE_STREAM_ADJUST_LATENCY.rawValue
      | AACORN_PULSE_STREAM_AUTO_TIMING_UPDATE.rawValue
    if target.sinkName != nil { flags |= AACORN_PULSE_STREAM_DONT_MOVE.rawValue }
    let result = unsafe functions.pointee.stream_connect_playback(
      handle, target.sinkName, &attributes, aacorn_pulse_stream_flags(rawValue: flags), nil, nil)
    try stream.awaitOpening(result, until: deadline)
  }

  deinit {
    unsafe functions.pointee.stream_set_write_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_underflow_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_moved_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_suspended_callback(handle, nil, nil)
    unsafe functions.pointee.stream_set_latency_update_callback(handle, nil, nil)
  }

  private var handle: OpaquePointer { unsafe stream.handle }
  private var functions: UnsafePointer<aacorn_pulse_functions> { unsafe stream.functions }

  /// Whether samples may still be played.
  var isGood: Bool { stream.isGood }

  /// The number of the sink in use.
  var deviceIndex: UInt32 { stream.deviceIndex }

  /// Always false: the server asks again for what it wants.
  var hasBacklog: Bool { false }

  /// Whether nothing was asked for this long although the sink is not asleep.
  func isSilent(for milliseconds: Int64, now: Int64) -> Bool {
    !isSuspended && now - lastRequest > milliseconds * 1_000_000
  }

  /// Starts playing.
  func flow() {
    lastRequest = System.nanoseconds
    isFlowing = true
    // With something to play from the first moment on.
    serve()
    stream.uncork()
    suspensionChanged()
    ask()
  }
}

// MARK: Samples

extension PulsePlaybackStream {
  private var writableByteCount: Int {
    let count = unsafe functions.pointee.stream_writable_size(handle)
    return count == .max ? 0 : Int(clamping: count)
  }

  /// Writes as much as the server wants.
  func serve() {
    guard isFlowing else { return }
    while true {
      let wanted = writableByteCount
      guard wanted >= frameByteCount else { return }
      lastRequest = System.nanoseconds
      var data: UnsafeMutableRawPointer?
      var size = wanted
      guard unsafe functions.pointee.stream_begin_write(handle, &data, &size) >= 0,
        let place = unsafe data
      else { return }
      let frameCount = min(size, wanted) / frameByteCount
      guard frameCount > 0 else { return }
      let count = unsafe feed.read(
        frameCount: frameCount, into: place.assumingMemoryBound(to: Float.self))
      if count > 0 {
        lastFrame = (feed.takenFrameCount - count, writtenByteCount)
        noteTime()
      }
      let byteCount = frameCount * frameByteCount
      let result = unsafe functions.pointee.stream_write(
        handle, place, byteCount, nil, 0, AACORN_PULSE_SEEK_RELATIVE)
      guard result >= 0 else { return }
      writtenByteCount += Int64(byteCount)
    }
  }
}

// MARK: Time

extension PulsePlaybackStream {
  /// Asks the server how late it is.
  private func ask() {
    unsafe stream.ask({ unsafe PulsePlaybackStream.at($2)?.answered() }, pointer)
  }

  private func answered() {
    stream.withdrawQuestion()
    reported()
  }

  private func reported() {
    guard let report else { return }
    clock.refine(report, now: System.nanoseconds)
    noteTime()
  }

  /// Tells the feed when its last frames are heard, as soon as that is known.
  private func noteTime() {
    guard let lastFrame, let time = clock.measuredTime(at: lastFrame.position) else { return }
    feed.note(frame: lastFrame.number, soundsAt: time)
  }

  /// What the server last told; nil while it does not play, since it knows no times then.
  private var report: PulseClock.Report? {
    guard !isSuspended, let info = unsafe functions.pointee.stream_get_timing_info(handle),
      unsafe info.pointee.playing != 0, unsafe info.pointee.read_index >= 0
    else { return nil }
    return unsafe PulseClock.Report(
      writtenByteCount: info.pointee.read_index,
      transport: Int64(clamping: info.pointee.transport_usec) * 1000,
      latency: -Int64(clamping: info.pointee.sink_usec) * 1000)
  }
}

// MARK: Callbacks

extension PulsePlaybackStream {
  private var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> PulsePlaybackStream? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<PulsePlaybackStream>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func setCallbacks() {
    unsafe functions.pointee.stream_set_write_callback(
      handle, { unsafe PulsePlaybackStream.at($2)?.serve() }, pointer)
    unsafe functions.pointee.stream_set_underflow_callback(
      handle, { unsafe PulsePlaybackStream.at($1)?.starved() }, pointer)
    unsafe functions.pointee.stream_set_moved_callback(
      handle, { unsafe PulsePlaybackStream.at($1)?.moved() }, pointer)
    unsafe functions.pointee.stream_set_suspended_callback(
      handle, { unsafe PulsePlaybackStream.at($1)?.suspensionChanged() }, pointer)
    unsafe functions.pointee.stream_set_latency_update_callback(
      handle, { unsafe PulsePlaybackStream.at($1)?.reported() }, pointer)
  }

  /// The server had nothing left to play: this thread was late.
  private func starved() {
    guard isFlowing, !isSuspended else { return }
    feed.countUnderrun()
    clock.forget()
    ask()
  }

  private func moved() {
    guard isFlowing else { return }
    hasMoved = true
    feed.notify(.deviceChanged)
    clock.forget()
    suspensionChanged()
    ask()
  }

  private func suspensionChanged() {
    let isAsleep = stream.isSuspended
    guard isFlowing, isAsleep != isSuspended else { return }
    isSuspended = isAsleep
    lastRequest = System.nanoseconds
    clock.forget()
    feed.notify(isAsleep ? .suspended : .resumed)
    if !isAsleep { ask() }
  }
}
#endif
