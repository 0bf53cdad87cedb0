/// Looks for the gain that makes sound as loud as was asked for, although a limiter takes some of it.
///
/// How much it takes is known only from trying. What was missing is added to the gain, and then more
/// of it, as a decibel more is less than a LU behind a limiter. The trial that came nearest counts.
struct LimitedGainSearch {
  /// What is nearer than this need not be nearer, in LU.
  static let tolerance = 0.1
  /// The most trials.
  static let mostTrials = 3

  /// The gain to be tried, in decibels; nil if another one would not be better.
  private(set) var gain: Double?
  private let target: Double
  private let mostGain: Double
  private var trialCount = 0
  private var last: (gain: Double, loudness: Double)?
  /// The distance of the nearest trial.
  private var leastDistance = Double.infinity

  /// What comes nearer by less is not worth being limited more.
  private static let leastGain = 0.01

  /// Begins with a gain, and never tries more than another.
  init(target: Double, gain: Double, mostGain: Double) {
    self.target = target
    self.gain = gain
    self.mostGain = mostGain
  }

  /// Takes how loud the sound is with the gain, in LUFS; returns whether none was nearer before.
  mutating func take(_ loudness: Double) -> Bool {
    guard let gain else { return false }
    trialCount += 1
    let missing = target - loudness
    let isNearest = missing.magnitude < leastDistance - Self.leastGain
    if isNearest { leastDistance = missing.magnitude }
    var slope = 1.0
    if let last, gain != last.gain {
      slope = max(0.2, min((loudness - last.loudness) / (gain - last.gain), 1))
    }
    last = (gain, loudness)
    let next = min(gain + missing / slope, mostGain)
    let isDone =
      missing.magnitude <= Self.tolerance || trialCount == Self.mostTrials || !isNearest
      || (next - gain).magnitude < Self.leastGain
    self.gain = isDone ? nil : next
    return isNearest
  }
}
