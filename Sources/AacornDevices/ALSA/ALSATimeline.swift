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

  /// The duration of a position query, in nanoseconds, above which the position and the clock may
  /// not match.
  private static let maxQueryNanoseconds: Int64 = 5_000_000

  /// Whether a query took so long that the thread was probably interrupted, so that a retry may
  /// help.
  static func isInterrupted(_ nanoseconds: Int64) -> Bool { nanoseconds >= 4 * maxQueryNanoseconds }

  /// Returns the capture time of the oldest unread frame.
  ///
  /// - Parameters:
  ///   - stamp: The device's clock at its position, if it has one; 0 and times of another clock are
  ///     detected and ignored.
  ///   - before: The monotonic clock before the position was queried.
  ///   - after: The monotonic clock after the query.
  ///   - delay: Frames between the oldest unread frame and the one just captured, if known.
  ///   - available: Frames that are known to be unread.
  ///   - period: The duration of the device's period in nanoseconds.
  ///   - sampleRate: Frames per second.
  /// - Returns: The time, and whether it was measured well.
  static func time(
    stamp: Int64, before: Int64, after: Int64, delay: Int, available: Int, period: Int64,
    sampleRate: Int
  ) -> (time: Int64, isReliable: Bool) {
    // A delay includes the frames that can be read. But some plug-ins report meaningless delays.
    let isSensible = delay >= available && delay - available <= sampleRate
    let age = nanoseconds(isSensible ? delay : available, sampleRate)
    let isQuick = after - before < maxQueryNanoseconds
    if isPlausible(stamp, before: before, after: after, period: period) {
      return (stamp - age, isQuick || stamp <= before)
    }
    return (before + (after - before) / 2 - age, isQuick)
  }

  /// Whether a stamp may be the time of the device's position.
  ///
  /// The stamp is from the card's last interrupt, which is at most a period ago. Accept it if it is
  /// at most half a second older, and not in the future.
  private static func isPlausible(
    _ stamp: Int64, before: Int64, after: Int64, period: Int64
  ) -> Bool {
    stamp > before - period - 500_000_000 && stamp <= after
  }

  /// Returns the time at which the next written frame plays.
  ///
  /// - Parameters:
  ///   - stamp: The device's clock at its position, as above.
  ///   - before: The monotonic clock before the position was queried.
  ///   - after: The monotonic clock after the query.
  ///   - delay: Frames until the next written frame plays, if known.
  ///   - waiting: Frames that are known to wait in the device's buffer.
  ///   - period: The duration of the device's period in nanoseconds.
  ///   - sampleRate: Frames per second.
  /// - Returns: The time, by the monotonic clock.
  static func soundTime(
    stamp: Int64, before: Int64, after: Int64, delay: Int, waiting: Int, period: Int64,
    sampleRate: Int
  ) -> Int64 {
    // A sound server may buffer more than the device's buffer holds, but not several seconds.
    let isSensible = delay > 0 && delay - waiting <= 4 * sampleRate
    let rest = nanoseconds(isSensible ? delay : waiting, sampleRate)
    let isKnown = isPlausible(stamp, before: before, after: after, period: period)
    return (isKnown ? stamp : before + (after - before) / 2) + rest
  }
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
