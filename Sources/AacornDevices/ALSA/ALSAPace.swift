#if os(Linux)
/// Finds devices that know no time, such as plug-ins that read a file, and holds them back.
///
/// A device with a clock cannot have captured more frames than time has passed since its start. One
/// that has is read no faster than it should have captured, and times its frames by their number.
struct ALSAPace {
  /// How far a device may be ahead of the clock; servers may have some sound in store.
  private static let tolerance: Int64 = 200_000_000
  /// How long after the start a device is watched: a clock that runs fast must not look like none.
  private static let trial: Int64 = 2_000_000_000

  private let start: Int64
  private let sampleRate: Int
  private var deliveredCount = 0
  /// Whether the device has no clock.
  private(set) var isUntimed = false

  /// The pace of a device that was started at this time.
  init(start: Int64, sampleRate: Int) {
    self.start = start
    self.sampleRate = sampleRate
  }

  /// When the next frame is due.
  var nextFrameTime: Int64 { start + ALSATimeline.nanoseconds(deliveredCount, sampleRate) }

  /// Looks at what the device offers now; true if it has just shown to have no clock.
  mutating func look(_ available: Int, at now: Int64) -> Bool {
    guard !isUntimed, now - start < Self.trial else { return false }
    let time = nextFrameTime + ALSATimeline.nanoseconds(available, sampleRate)
    isUntimed = time - now > Self.tolerance
    return isUntimed
  }

  /// Takes note of frames that were read or left out.
  mutating func pass(_ count: Int) {
    deliveredCount += count
  }

  /// Milliseconds to wait before the next frames are read.
  func hold(at now: Int64) -> Int {
    isUntimed ? Int(max(0, nextFrameTime - now - Self.tolerance) / 1_000_000) : 0
  }
}
#endif
