#if os(Linux)
/// Computes the times of blocks, and the number of frames lost between them.
struct ALSATimeline {
  /// The time at which the frame after the last one should be captured.
  private var nextTime: Int64?
  private var lostFrameCount = 0
  private var lossCause: CaptureLoss?
  /// Whether the loss must be computed from the clock, since it was not counted.
  private var isInterrupted = false

  /// Records frames that the device has counted but that will not be delivered.
  mutating func lose(_ count: Int, sampleRate: Int) {
    lostFrameCount += count
    lossCause = lossCause ?? .overrun
    nextTime = nextTime.map { $0 + Self.nanoseconds(count, sampleRate) }
  }

  /// Records that an unknown number of frames is missing from here on.
  mutating func interrupt(_ cause: CaptureLoss) {
    isInterrupted = true
    // The last cause applies: an apparent overrun may turn out to be a lost device.
    lossCause = cause
  }

  /// Returns the next block, with the preceding loss.
  mutating func block(
    frameCount: Int, channelCount: Int, sampleRate: Int, time: Int64, isTimeReliable: Bool
  ) -> CaptureBlock {
    if isInterrupted, let nextTime {
      let seconds = Double(time - nextTime) * 1e-9
      lostFrameCount += max(0, Int((seconds * Double(sampleRate)).rounded()))
    }
    let block = CaptureBlock(
      frameCount: frameCount, channelCount: channelCount, sampleRate: sampleRate, time: time,
      isTimeReliable: isTimeReliable, lostFrameCount: lostFrameCount,
      lossCause: lossCause ?? .overrun)
    nextTime = time + Self.nanoseconds(frameCount, sampleRate)
    lostFrameCount = 0
    lossCause = nil
    isInterrupted = false
    return block
  }

  /// Returns the duration of frames, in nanoseconds.
  static func nanoseconds(_ frameCount: Int, _ sampleRate: Int) -> Int64 {
    Int64((Double(frameCount) * 1e9 / Double(max(1, sampleRate))).rounded())
  }
}

/// A device's clock and delay, with the monotonic clock before and after the query; in nanoseconds
/// and frames.
struct ALSAMoment {
  /// The device's clock at its position, if it has one; 0 and times of another clock are detected and
  /// ignored.
  var stamp: Int64 = 0
  /// The monotonic clock before the query.
  var before: Int64
  /// The monotonic clock after the query.
  var after: Int64
  /// The frames between the oldest unread frame and the one just captured, or until the next written
  /// frame plays; 0 if unknown.
  var delay = 0
  /// The duration of the device's period.
  let period: Int64
  /// Frames per second.
  let sampleRate: Int

  /// The duration of a query, in nanoseconds, above which the position and the clock may not match.
  private static let maxQueryNanoseconds: Int64 = 5_000_000

  /// Whether the query took so long that the thread was probably interrupted, so that a retry may
  /// help.
  var isInterrupted: Bool { after - before >= 4 * Self.maxQueryNanoseconds }

  /// Returns the capture time of the oldest of `available` frames that are known to be unread, and
  /// whether it was measured well.
  func captureTime(available: Int) -> (time: Int64, isReliable: Bool) {
    // A delay includes the frames that can be read. But some plug-ins report meaningless delays.
    let isSensible = delay >= available && delay - available <= sampleRate
    let age = ALSATimeline.nanoseconds(isSensible ? delay : available, sampleRate)
    let isQuick = after - before < Self.maxQueryNanoseconds
    return (positionTime - age, isQuick || isPlausible && stamp <= before)
  }

  /// Returns the time at which the next written frame plays, with `waiting` frames known to wait in
  /// the device's buffer.
  func soundTime(waiting: Int) -> Int64 {
    // A sound server may buffer more than the device's buffer holds, but not several seconds.
    let isSensible = delay > 0 && delay - waiting <= 4 * sampleRate
    return positionTime + ALSATimeline.nanoseconds(isSensible ? delay : waiting, sampleRate)
  }

  /// The time of the device's position.
  private var positionTime: Int64 { isPlausible ? stamp : before + (after - before) / 2 }

  /// Whether the stamp may be the time of the device's position.
  ///
  /// The stamp is from the card's last interrupt, which is at most a period ago. Accept it if it is
  /// at most half a second older, and not in the future.
  private var isPlausible: Bool { stamp > before - period - 500_000_000 && stamp <= after }
}

/// Detects devices without a clock, such as plug-ins that read a file, and slows them down.
///
/// A device with a clock cannot have captured more frames than its running time allows. If a device
/// has captured more, it is read no faster than in real time, and its frames are timed by counting
/// them.
struct ALSAPace {
  /// The time in nanoseconds by which a device may be ahead of the clock, because a sound server
  /// may have some audio buffered.
  private static let tolerance: Int64 = 200_000_000
  /// The time in nanoseconds after the start during which a device is checked.
  ///
  /// The check is limited because a clock that is slightly fast would eventually exceed the
  /// tolerance.
  private static let checkDuration: Int64 = 2_000_000_000

  private var start: Int64
  private let sampleRate: Int
  private var deliveredCount = 0
  /// Whether the device has no clock.
  private(set) var isUntimed = false

  /// Creates the pace of a device that was started at this time.
  init(start: Int64, sampleRate: Int) {
    self.start = start
    self.sampleRate = sampleRate
  }

  /// Starts to count again, for a device that was restarted and has dropped its frames.
  mutating func restart(at time: Int64) {
    start = time
    deliveredCount = 0
  }

  /// The time at which the next frame is due.
  var nextFrameTime: Int64 { start + ALSATimeline.nanoseconds(deliveredCount, sampleRate) }

  /// Checks the number of available frames; returns true if this check finds that the device has no
  /// clock.
  mutating func detectMissingClock(_ available: Int, at now: Int64) -> Bool {
    guard !isUntimed, now - start < Self.checkDuration else { return false }
    let time = nextFrameTime + ALSATimeline.nanoseconds(available, sampleRate)
    isUntimed = time - now > Self.tolerance
    return isUntimed
  }

  /// Records frames that were read, skipped or written.
  mutating func pass(_ count: Int) {
    deliveredCount += count
  }

  /// Returns the time to wait before the next frames are read or written, in milliseconds.
  func delayMilliseconds(at now: Int64) -> Int {
    isUntimed ? Int(max(0, nextFrameTime - now - Self.tolerance) / 1_000_000) : 0
  }
}
#endif
