/// Minimizes the audio that waits for a device, without underruns.
///
/// It measures the waiting frames just before each write. The minimum over a quarter of a second
/// should be a small margin: more only adds delay, and less would cause an underrun if the next
/// write is slightly late. If the devices' clocks differ, the amount grows or shrinks, and the
/// resampler compensates by millionths.
struct MonitorPace {
  /// The action before a write.
  enum Step: Equatable {
    /// Resample with this setting.
    case stretch(partsPerMillion: Double)
    /// Drop `frameCount` frames, because far too many are waiting.
    case skip(frameCount: Int)
    /// Nothing to change.
    case proceed
  }

  private let sampleRate: Double
  /// Frames that should be waiting when the next ones arrive.
  private(set) var margin: Double
  private var lowest = Double.infinity
  private var sum = 0.0
  private var count = 0
  private var frames = 0.0
  private var underrunCount = 0
  /// The mean number of waiting frames in the last window.
  private(set) var meanWaiting = 0.0

  /// The minimum margin in seconds, for a machine that is never late.
  private static let minMarginSeconds = 0.0015
  /// Seconds between decisions.
  private static let window = 0.25
  /// The seconds in which a deviation should be corrected.
  private static let correction = 2.0
  /// The excess in seconds from which frames are dropped.
  private static let maxExcessSeconds = 0.012

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
    margin = Self.minMarginSeconds * Double(sampleRate)
  }

  /// Restarts after a pause, with the device's current number of underruns.
  mutating func begin(underrunCount: Int) {
    self.underrunCount = underrunCount
    (lowest, sum, count, frames) = (.infinity, 0, 0, 0)
  }

  /// Measures the waiting frames before `written` more are written, and the underruns since the
  /// last window; returns the next action.
  mutating func step(waiting: Int, writing written: Int, underrunCount: Int) -> Step {
    lowest = min(lowest, Double(waiting))
    sum += Double(waiting)
    count += 1
    frames += Double(written)
    guard frames >= Self.window * sampleRate else { return .proceed }
    let excess = lowest - margin
    meanWaiting = sum / Double(count)
    let newUnderruns = underrunCount - self.underrunCount
    self.underrunCount = underrunCount
    (lowest, sum, count, frames) = (.infinity, 0, 0, 0)
    if newUnderruns > 0 {
      // After an underrun, increase the margin, to at most 20 ms: this machine is sometimes late.
      margin = min(margin * 1.5 + 16, 0.02 * sampleRate)
    } else {
      margin = max(margin * 0.98, Self.minMarginSeconds * sampleRate)
    }
    // Check the excess before the underruns. A late server has not consumed the waiting frames. If
    // new underruns prevented dropping these frames, the delay would grow with every underrun.
    if excess > Self.maxExcessSeconds * sampleRate { return .skip(frameCount: Int(excess)) }
    if newUnderruns > 0 { return .proceed }
    let parts = -excess / (sampleRate * Self.correction) * 1e6
    return .stretch(partsPerMillion: min(max(parts, -1000), 1000))
  }
}
