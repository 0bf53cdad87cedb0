/// Keeps the sound that waits for a device as short as it can be without a gap.
///
/// Just before each write it looks at what still waits. The least of a quarter of a second should be
/// a small margin: what is more only delays the sound, and less would be a gap at the next hiccup.
/// Devices whose clocks differ make it grow or shrink, which the resampler evens out by millionths.
struct MonitorPace {
  /// What to do before a write.
  enum Step: Equatable {
    /// Resample with this setting.
    case stretch(partsPerMillion: Double)
    /// Leave out so many frames, since far too many are waiting.
    case skip(frameCount: Int)
    /// Nothing to change.
    case proceed
  }

  private let sampleRate: Double
  /// Frames that should wait when the next ones come.
  private(set) var margin: Double
  private var lowest = Double.infinity
  private var sum = 0.0
  private var count = 0
  private var frames = 0.0
  private var underrunCount = 0
  /// The mean of the last window.
  private(set) var meanWaiting = 0.0

  /// Seconds that should wait on a machine that is never late.
  private static let leastMargin = 0.0015
  /// Seconds between decisions.
  private static let window = 0.25
  /// Seconds in which a deviation should be gone.
  private static let correction = 2.0
  /// More than this is left out at once, in seconds.
  private static let mostExcess = 0.012

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
    margin = Self.leastMargin * Double(sampleRate)
  }

  /// Begins anew after a pause, in which a device found nothing so many times.
  mutating func begin(underrunCount: Int) {
    self.underrunCount = underrunCount
    (lowest, sum, count, frames) = (.infinity, 0, 0, 0)
  }

  /// Looks at the frames that wait before `written` more come, and at how often there were none.
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
      // This machine is late at times: let more wait, at most 20 ms.
      margin = min(margin * 1.5 + 16, 0.02 * sampleRate)
    } else {
      margin = max(margin * 0.98, Self.leastMargin * sampleRate)
    }
    // A server that was late has not taken what waited. It would wait ever longer if a further
    // underrun were a reason to keep it.
    if excess > Self.mostExcess * sampleRate { return .skip(frameCount: Int(excess)) }
    if newUnderruns > 0 { return .proceed }
    let parts = -excess / (sampleRate * Self.correction) * 1e6
    return .stretch(partsPerMillion: min(max(parts, -1000), 1000))
  }
}
