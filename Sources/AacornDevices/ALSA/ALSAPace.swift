#if os(Linux)
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
