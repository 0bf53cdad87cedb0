import AacornSignal
import AacornSystem

/// Where a target takes what it plays: a lock-free ring, and what the device tells about it.
///
///     player's thread: write(…) ─► ring ─► read(…) on the device's thread ─► loudspeakers
///     player's thread: takeNotice(), heardFrame(at:) ◄─ notices, times ◄┘
///
/// Only one thread writes, and only the device's reads. Reading neither allocates, locks nor logs:
/// where samples are missing it gives silence, and counts it.
public final class PlaybackFeed: Sendable {
  /// What the samples are.
  public let format: PlaybackFormat
  private let samples: RingBuffer<Float>
  private let notices = RingBuffer<PlaybackNotice>(capacity: 64, filledWith: .deviceLost)
  private let room = Semaphore()
  private let isPausedFlag = Atomic<Bool>(false)
  private let isEnded = Atomic<Bool>(false)
  /// Frames written; the player's.
  private let writtenFrames = Atomic<Int>(0)
  /// Frames taken out of the ring, played or dropped; the device's.
  private let takenFrames = Atomic<Int>(0)
  /// Frames before this one are to be dropped.
  private let dropEnd = Atomic<Int>(0)
  private let underruns = Atomic<Int>(0)
  private let missing = Atomic<Int>(0)
  private let hasBegun = Atomic<Bool>(false)
  /// A frame, and the monotonic time at which it sounds, in nanoseconds.
  private let anchor = PlaybackAnchor()
  /// The frame with which sound set in after silence: what came before is heard before that.
  private let onset = Atomic<Int>(0)
  /// Whether the last samples that were taken ended in silence; the device's.
  private let isSilent = Atomic<Bool>(true)

  /// Makes room for this many frames; numbers out of range count as the nearest ones: 1 Hz to 3.072 MHz, 1 to 64
  /// channels, 1 to 2²⁰ frames.
  public init(_ format: PlaybackFormat, frameCapacity: Int) {
    var format = format
    format.sampleRate = SampleLimits.sampleRate(format.sampleRate)
    format.channelCount = SampleLimits.channelCount(format.channelCount)
    self.format = format
    let frameCount = min(max(1, frameCapacity), 1 << 20)
    samples = RingBuffer(capacity: frameCount * format.channelCount, filledWith: 0)
  }

  // MARK: The player's side

  /// Frames that can be written now.
  public var freeFrameCount: Int { samples.free / format.channelCount }

  /// Frames written so far.
  public var writtenFrameCount: Int { writtenFrames.load(ordering: .relaxed) }

  /// Frames that were written, and have been neither taken nor discarded.
  public var waitingFrameCount: Int {
    let gone = max(takenFrames.load(ordering: .acquiring), dropEnd.load(ordering: .acquiring))
    return writtenFrames.load(ordering: .acquiring) - gone
  }

  /// Writes whole frames, as many as there is room for, and returns how many.
  public func write(_ interleaved: Span<Float>) -> Int {
    let channelCount = format.channelCount
    let count = min(interleaved.count / channelCount, freeFrameCount)
    guard count > 0 else { return 0 }
    guard samples.write(count: count * channelCount, { interleaved[$0] }) else { return 0 }
    writtenFrames.store(
      writtenFrames.load(ordering: .relaxed) &+ count, ordering: .releasing)
    return count
  }

  /// Waits until samples have been taken, or something was told, for at most this long; false if
  /// nothing happened.
  public func waitForDevice(milliseconds: Int) -> Bool { room.wait(milliseconds: milliseconds) }

  /// Says that nothing more comes for now, so that an empty ring is no underrun; writing goes on
  /// once ``resumeWriting()`` was called.
  public func end() { isEnded.store(true, ordering: .releasing) }

  /// Says that samples come again.
  public func resumeWriting() { isEnded.store(false, ordering: .releasing) }

  /// Whether nothing more comes for now.
  package var hasEnded: Bool { isEnded.load(ordering: .acquiring) }

  /// Whether all that was written has been taken or discarded.
  public var isDrained: Bool { waitingFrameCount == 0 }

  /// Drops what was written and has not been taken, as for a jump.
  public func discard() {
    dropEnd.store(writtenFrames.load(ordering: .relaxed), ordering: .releasing)
  }

  /// Whether the device gets silence, and what was written stays.
  public var isPaused: Bool {
    get { isPausedFlag.load(ordering: .relaxed) }
    set { isPausedFlag.store(newValue, ordering: .relaxed) }
  }

  /// The frame that sounds at a monotonic time, as counted by ``write(_:)``; nil before the device
  /// has told when anything does.
  ///
  /// It never goes beyond what the device has taken, so in a pause it stays where that began, and
  /// after the end it is the number of all frames.
  public func heardFrame(at time: Int64) -> Int? {
    guard let heard = anchor.load() else { return nil }
    let nanoseconds = time &- heard.time
    // A day is longer than anything waits in a device, and fits.
    let seconds = min(max(-86_400, Double(nanoseconds) * 1e-9), 86_400)
    let frame = heard.frame &+ Int((seconds * Double(format.sampleRate)).rounded())
    let taken = takenFrames.load(ordering: .acquiring)
    return min(max(onset.load(ordering: .relaxed), frame), taken)
  }

  /// How often samples were missing.
  public var underrunCount: Int { underruns.load(ordering: .relaxed) }
  /// Frames of silence that stood in for missing ones.
  public var missingFrameCount: Int { missing.load(ordering: .relaxed) }

  /// The oldest notice of the target that has not been taken.
  public func takeNotice() -> PlaybackNotice? { notices.read() }

  // MARK: The device's side

  /// Puts frames at `output`, with silence where there are none; returns how many are samples.
  ///
  /// Call it on the device's thread only.
  @discardableResult
  public func read(frameCount: Int, into output: UnsafeMutablePointer<Float>) -> Int {
    let count = unsafe take(max(0, frameCount), output)
    room.signal()
    return count
  }

  @_noAllocation
  private func take(_ frameCount: Int, _ output: UnsafeMutablePointer<Float>) -> Int {
    let channelCount = format.channelCount
    let taken = takenFrames.load(ordering: .relaxed)
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
      var place = unsafe output
      _ = samples.read(count: count &* channelCount) {
        unsafe place.pointee = $0
        unsafe place += 1
      }
      // Before the first sample and after the last one, silence is what is wanted.
      let isOver = isEnded.load(ordering: .acquiring)
      let isUnderWay = hasBegun.load(ordering: .relaxed)
      if count < frameCount && isUnderWay && !isOver {
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
    for index in count &* channelCount..<frameCount &* channelCount { unsafe output[index] = 0 }
    takenFrames.store(taken &+ dropped &+ count, ordering: .releasing)
    return count
  }

  /// Frames taken so far: the number of the next frame that ``read(frameCount:into:)`` gives.
  public var takenFrameCount: Int { takenFrames.load(ordering: .relaxed) }

  /// Counts that the device ran out of samples although the feed had some, as the device's thread
  /// was late; with the frames of silence that were heard instead, if that is known.
  public func countUnderrun(missingFrameCount: Int = 0) {
    underruns.store(underruns.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    missing.store(
      missing.load(ordering: .relaxed) &+ max(0, missingFrameCount), ordering: .relaxed)
  }

  /// Says that a frame sounds at a monotonic time, on the device's thread.
  ///
  /// The frame is one of those taken, or the next: after ``read(frameCount:into:)`` gave n samples,
  /// the first of them is frame ``takenFrameCount`` − n. For silence there is nothing to say.
  public func note(frame: Int, soundsAt time: Int64) {
    anchor.store(frame: frame, time: time)
  }

  /// Tells the player something, on the device's thread; false if it does not listen any more.
  @discardableResult
  public func notify(_ notice: PlaybackNotice) -> Bool {
    let isWritten = notices.write(count: 1) { _ in notice }
    room.signal()
    return isWritten
  }
}

/// What a target tells the player.
@frozen
public enum PlaybackNotice: UInt8, BitwiseCopyable, Sendable {
  /// The device or the sound server is gone; the target waits for it to return, and takes nothing.
  case deviceLost
  /// Sound is heard again, perhaps from another device.
  case deviceReturned
  /// Sound comes from another device from here on.
  case deviceChanged
  /// The system has put the device to sleep, or another program has interrupted it.
  case suspended
  /// The device is awake again.
  case resumed
  /// The target cannot continue; ``PlaybackTarget/failure`` says why.
  case failed
}
