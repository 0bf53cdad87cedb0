/// Searches for the gain that reaches a requested loudness in spite of a limiter.
///
/// The effect of the limiter is known only from trials. The second trial adds the missing loudness
/// to the gain. With the limiter, a decibel of gain raises the loudness by less than 1 LU, so a
/// later trial adds more than the missing loudness. The trial with the smallest error is the
/// result.
struct LimitedGainSearch {
  /// The error in LU that is accepted.
  static let tolerance = 0.1
  static let maxTrialCount = 3

  /// The gain of the next trial, in decibels; nil if another trial would not be better.
  private(set) var gain: Double?
  private let target: Double
  private let maxGain: Double
  private var trialCount = 0
  private var last: (gain: Double, loudness: Double)?
  /// The smallest error of a trial, in LU.
  private var minError = Double.infinity

  /// The minimum improvement in LU for another trial: a smaller one is not worth more limiting.
  private static let minImprovement = 0.01

  /// Begins with a gain and limits all trials to `maxGain`.
  init(target: Double, gain: Double, maxGain: Double) {
    self.target = target
    self.gain = gain
    self.maxGain = maxGain
  }

  /// Records the loudness of a trial in LUFS; returns whether its error is the smallest up to now.
  mutating func record(_ loudness: Double) -> Bool {
    guard let gain else { return false }
    trialCount += 1
    let missing = target - loudness
    let isNearest = missing.magnitude < minError - Self.minImprovement
    if isNearest { minError = missing.magnitude }
    var slope = 1.0
    if let last, gain != last.gain {
      slope = max(0.2, min((loudness - last.loudness) / (gain - last.gain), 1))
    }
    last = (gain, loudness)
    let next = min(gain + missing / slope, maxGain)
    let isDone =
      missing.magnitude <= Self.tolerance || trialCount == Self.maxTrialCount || !isNearest
      || (next - gain).magnitude < Self.minImprovement
    self.gain = isDone ? nil : next
    return isNearest
  }
}
