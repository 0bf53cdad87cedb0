import AacornSignal
import AacornSystem

/// The samples for a target, in a lock-free ring, and the device's reports about their playback.
///
///     player's thread: write(…) ─► ring ─► read(…) on the device's thread ─► loudspeakers
///     player's thread: nextEvent(), playedFrame(at:) ◄─ events, times ◄─┘
///
/// Only one thread writes, and only the device's thread reads. Reading neither allocates, locks nor
/// logs: it replaces missing samples by silence, and counts them.
public final class PlaybackFeed: Sendable {
  /// The format of the samples.
  public let format: PlaybackFormat
  private let samples: RingBuffer<Float>
  private let events = RingBuffer<DeviceEvent>(capacity: 64, filledWith: .deviceLost)
  private let room = Semaphore()
  private let isPausedFlag = Atomic<Bool>(false)
  private let isWritingPausedFlag = Atomic<Bool>(false)
  /// The number of written frames; stored by the player.
  private let writtenFrames = Atomic<Int>(0)
  /// The number of frames removed from the ring, played or dropped; stored by the device.
  private let consumedFrames = Atomic<Int>(0)
  /// The index of the frame up to which written frames are dropped.
  private let dropEnd = Atomic<Int>(0)
  private let underruns = Atomic<Int>(0)
  private let missing = Atomic<Int>(0)
  private let hasBegun = Atomic<Bool>(false)
  /// A frame and the monotonic time at which it plays, in nanoseconds.
  private let anchor = PlaybackAnchor()
  /// The first frame after silence; all earlier frames have been played.
  private let onset = Atomic<Int>(0)
  /// Whether the last read ended in silence; stored by the device.
  private let isSilent = Atomic<Bool>(true)

  /// Creates a feed with room for this many frames.
  ///
  /// Values out of range are clamped: 1 Hz to 3.072 MHz, 1 to 1,024 channels, 1 frame to 2²⁴
  /// samples of all channels.
  public init(_ format: PlaybackFormat, frameCapacity: Int) {
    var format = format
    format.sampleRate = SampleLimits.sampleRate(format.sampleRate)
    format.channelCount = min(max(1, format.channelCount), 1024)
    self.format = format
    let frameCount = min(max(1, frameCapacity), (1 << 24) / format.channelCount)
    samples = RingBuffer(capacity: frameCount * format.channelCount, filledWith: 0)
  }

  // MARK: The player

  /// The number of frames that can be written now.
  public var freeFrameCount: Int { samples.free / format.channelCount }

  /// The number of frames written up to now.
  public var writtenFrameCount: Int { writtenFrames.load(ordering: .relaxed) }

  /// The number of written frames that have been neither read nor discarded.
  public var waitingFrameCount: Int {
    let gone = max(consumedFrames.load(ordering: .acquiring), dropEnd.load(ordering: .acquiring))
    return writtenFrames.load(ordering: .acquiring) - gone
  }

  /// Writes complete frames up to the free room, and returns their number.
  public func write(_ interleaved: Span<Float>) -> Int {
    let channelCount = format.channelCount
    let count = min(interleaved.count / channelCount, freeFrameCount)
    guard count > 0 else { return 0 }
    guard samples.write(count: count * channelCount, { interleaved[$0] }) else { return 0 }
    writtenFrames.store(
      writtenFrames.load(ordering: .relaxed) &+ count, ordering: .releasing)
    return count
  }

  /// Waits until the device reads samples or sends an event; returns false on timeout.
  public func waitForDevice(milliseconds: Int) -> Bool { room.wait(milliseconds: milliseconds) }

  /// Declares that no samples follow for now, so that an empty ring is not an underrun.
  ///
  /// Call ``resumeWriting()`` before writing again.
  public func pauseWriting() { isWritingPausedFlag.store(true, ordering: .releasing) }

  /// Declares that samples follow again.
  public func resumeWriting() { isWritingPausedFlag.store(false, ordering: .releasing) }

  /// Whether no samples follow for now.
  package var isWritingPaused: Bool { isWritingPausedFlag.load(ordering: .acquiring) }

  /// Whether the written frames have all been read or discarded.
  public var isDrained: Bool { waitingFrameCount == 0 }

  /// Drops the written frames that have not been read, such as for a seek.
  public func discard() {
    dropEnd.store(writtenFrames.load(ordering: .relaxed), ordering: .releasing)
  }

  /// Whether the device gets silence, while the written frames stay in the ring.
  public var isPaused: Bool {
    get { isPausedFlag.load(ordering: .relaxed) }
    set { isPausedFlag.store(newValue, ordering: .relaxed) }
  }

  /// Returns the frame that plays at a monotonic time, as counted by ``write(_:)``.
  ///
  /// The result is nil until the device has reported a time. It never exceeds the number of frames
  /// that the device has read. In a pause it stays at the frame where the pause began. After the
  /// end it is the number of all frames.
  public func playedFrame(at time: Int64) -> Int? {
    guard let played = anchor.load() else { return nil }
    let nanoseconds = time &- played.time
    // Clamp to a day, which is longer than any device buffers and cannot overflow.
    let seconds = min(max(-86_400, Double(nanoseconds) * 1e-9), 86_400)
    let frame = played.frame &+ Int((seconds * Double(format.sampleRate)).rounded())
    let taken = consumedFrames.load(ordering: .acquiring)
    return min(max(onset.load(ordering: .relaxed), frame), taken)
  }

  /// The number of underruns.
  public var underrunCount: Int { underruns.load(ordering: .relaxed) }
  /// The number of frames of silence that replaced missing frames.
  public var missingFrameCount: Int { missing.load(ordering: .relaxed) }

  /// Returns and removes the oldest pending event of the target.
  public func nextEvent() -> DeviceEvent? { events.read() }

  // MARK: The device

  /// Fills `output` with frames, and with silence for missing frames; returns the number of real
  /// frames.
  ///
  /// Samples after the last whole frame of `output` are set to 0. A nil buffer has no effect. Call
  /// it on the device's thread only.
  @discardableResult
  public func read(into output: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let start = output.baseAddress else { return 0 }
    let count = unsafe take(start, sampleCount: output.count)
    room.signal()
    return count
  }

  @_noAllocation
  private func take(_ output: UnsafeMutablePointer<Float>, sampleCount: Int) -> Int {
    let channelCount = format.channelCount
    let frameCount = sampleCount / channelCount
    let taken = consumedFrames.load(ordering: .relaxed)
    var dropped = dropEnd.load(ordering: .acquiring) &- taken
    if dropped > 0 {
      dropped = min(dropped, samples.available / channelCount)
      _ = samples.read(count: dropped &* channelCount) { _ in }
    } else {
      dropped = 0
    }
    var count = 0
    if !isPausedFlag.load(ordering: .relaxed) {
      count = min(frameCount, samples.available / channelCount)
      var destination = unsafe output
      _ = samples.read(count: count &* channelCount) {
        unsafe destination.pointee = $0
        unsafe destination += 1
      }
      // Before the first sample and after the last one, silence is expected.
      let isFinished = isWritingPausedFlag.load(ordering: .acquiring)
      let isUnderWay = hasBegun.load(ordering: .relaxed)
      if count < frameCount && isUnderWay && !isFinished {
        underruns.store(underruns.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        missing.store(
          missing.load(ordering: .relaxed) &+ (frameCount &- count), ordering: .relaxed)
      }
      if count > 0 { hasBegun.store(true, ordering: .relaxed) }
    }
    if count > 0 {
      let wasSilent = isSilent.load(ordering: .relaxed)
      let isOnset = wasSilent ? true : dropped > 0
      if isOnset { onset.store(taken &+ dropped, ordering: .relaxed) }
    }
    if frameCount > 0 { isSilent.store(count < frameCount, ordering: .relaxed) }
    for index in count &* channelCount..<sampleCount { unsafe output[index] = 0 }
    consumedFrames.store(taken &+ dropped &+ count, ordering: .releasing)
    return count
  }

  /// The number of frames read: the index of the next frame that ``read(into:)`` returns.
  public var consumedFrameCount: Int { consumedFrames.load(ordering: .relaxed) }

  /// Counts an underrun of the device that occurred although the feed had samples.
  ///
  /// The device's thread was late. `missingFrameCount` is the number of frames of silence played
  /// instead; 0 if it is unknown.
  public func countUnderrun(missingFrameCount: Int = 0) {
    underruns.store(underruns.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    missing.store(
      missing.load(ordering: .relaxed) &+ max(0, missingFrameCount), ordering: .relaxed)
  }

  /// Records that a frame plays at a monotonic time, on the device's thread.
  ///
  /// The frame is one of the frames read, or the next: after ``read(into:)`` returned n
  /// samples, the first of them is frame ``consumedFrameCount`` − n. Silence needs no record.
  public func recordPresentation(frame: Int, soundsAt time: Int64) {
    anchor.store(frame: frame, time: time)
  }

  /// Sends the player an event, on the device's thread; returns false if there is no room for it.
  @discardableResult
  public func notify(_ event: DeviceEvent) -> Bool {
    let isWritten = events.write(count: 1) { _ in event }
    room.signal()
    return isWritten
  }
}
