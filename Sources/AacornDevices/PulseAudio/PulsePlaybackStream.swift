#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A stream from a feed to one of the server's sinks.
///
/// The server says how much it wants; what the feed does not have is silence, so that the stream
/// never stands still.
final class PulsePlaybackStream: PulseStream {
  private let feed: PlaybackFeed

  /// How much of the stream has been written.
  private var writtenByteCount: Int64 = 0
  /// A frame of the feed, and where it is in the stream.
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
    // Asked for in eighths, the server may leave half of the latency to the device. A single frame is
    // enough for it to go on: where this program is late, silence comes in between and no sample is
    // lost, as some would be if the server did not wait at all.
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

  /// Has something to play from the first moment on.
  override func prepare() { serve() }

  /// Writes as much as the server wants; it asks again for what it wants later.
  override func serve() {
    guard isFlowing else { return }
    while true {
      let wanted = writableByteCount
      guard wanted >= frameByteCount else { return }
      lastFlow = System.nanoseconds
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

  private var writableByteCount: Int {
    let count = unsafe functions.pointee.stream_writable_size(handle)
    return count == .max ? 0 : Int(clamping: count)
  }

  /// The server had nothing left to play: this thread was late.
  private func starved() {
    guard isFlowing, !isSuspended else { return }
    feed.countUnderrun()
    clock.forget()
    ask()
  }

  // MARK: Time

  /// Has the clock take a report, and tells the feed what follows from it.
  override func refine(_ report: PulseClock.Report) {
    super.refine(report)
    noteTime()
  }

  /// Has the clock take the report that was asked for, and tells the feed what follows from it.
  override func answered(_ isGranted: Bool) {
    super.answered(isGranted)
    noteTime()
  }

  /// Tells the feed when its last frames are heard, as soon as that is known.
  private func noteTime() {
    guard let lastFrame, let time = clock.measuredTime(at: lastFrame.position) else { return }
    feed.note(frame: lastFrame.number, soundsAt: time)
  }

  /// What the server last told; nil while it does not play, since it knows no times then.
  override var report: PulseClock.Report? {
    guard !isSuspended, let info = unsafe timing, unsafe info.pointee.playing != 0,
      unsafe info.pointee.read_index >= 0
    else { return nil }
    return unsafe PulseClock.Report(
      writtenByteCount: info.pointee.read_index,
      transport: Int64(clamping: info.pointee.transport_usec) * 1000,
      latency: -Int64(clamping: info.pointee.sink_usec) * 1000)
  }

  // MARK: Notices

  /// Resets the clock: another sink has another delay.
  override func noteMove() { clock.forget() }

  /// Tells the feed that the sink is another one.
  override func tellMove() { feed.notify(.deviceChanged) }

  /// Tells the feed that the sink fell asleep, or woke up; either way no time holds any more.
  override func tellSleep() {
    clock.forget()
    feed.notify(isSuspended ? .suspended : .resumed)
  }
}
#endif
