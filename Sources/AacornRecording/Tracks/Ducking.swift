import AacornSystem

/// When and how far a track gives way to others: music to a voice, for example.
///
/// A sample of the other tracks that reaches the threshold in any channel lowers this one, and it
/// stays lowered for the hold time after the last such sample. What counts is the sound after gain,
/// pan, mute and fades, and before ducking. In between the gain moves evenly in decibels:
///
///     gain = −depth · x     x rises by 1 / (attack · rate) a sample while lowered, up to 1,
///                           and falls by 1 / (release · rate) a sample afterwards, down to 0
public struct Ducking: Sendable, Equatable {
  /// To whom a track gives way.
  public enum Trigger: Sendable, Equatable {
    /// To the track with this name.
    case track(String)
    /// To all other tracks.
    case others
  }

  /// To whom the track gives way.
  public var trigger: Trigger
  /// The level that lowers it, in decibels below full scale, from −96 to 0.
  public var threshold: Double
  /// By how many decibels it is lowered, from 0 to 96.
  public var depth: Double
  /// How long it takes to be lowered.
  public var attack: Duration
  /// How long it takes to come back.
  public var release: Duration
  /// How long it stays lowered after the other has fallen silent.
  public var hold: Duration

  /// Creates a ducking; without arguments, by 12 dB under everything that is louder than −40 dB.
  public init(
    of trigger: Trigger = .others, threshold: Double = -40, depth: Double = 12,
    attack: Duration = .milliseconds(50), release: Duration = .milliseconds(500),
    hold: Duration = .milliseconds(500)
  ) {
    self.trigger = trigger
    self.threshold = threshold
    self.depth = depth
    self.attack = attack
    self.release = release
    self.hold = hold
  }
}

/// Follows the level of other tracks and says by which factor a track is lowered, sample by sample.
struct Ducker {
  private let threshold: Float
  private let depth: Double
  private let rise: Double
  private let fall: Double
  private let holdLength: Int
  /// Samples for which it stays lowered.
  private var heldCount = 0
  /// How far it is lowered, from 0 to 1.
  private var progress = 0.0
  /// The factor of the last sample.
  private var current: Float = 1

  /// A track that is not lowered yet.
  init(_ ducking: Ducking, sampleRate: Int) {
    func step(_ time: Duration) -> Double { 1 / Double(max(1, time.sampleCount(at: sampleRate))) }
    threshold = Gain.factor(decibels: ducking.threshold)
    depth = ducking.depth
    rise = step(ducking.attack)
    fall = step(ducking.release)
    holdLength = ducking.hold.sampleCount(at: sampleRate)
  }

  /// The factor for a sample at which the others have this peak.
  mutating func factor(at peak: Float) -> Float {
    let isReached = peak >= threshold
    let isLowered = isReached || heldCount > 0
    heldCount = isReached ? holdLength : max(0, heldCount - 1)
    let before = progress
    progress = isLowered ? min(1, progress + rise) : max(0, progress - fall)
    if progress != before {
      current = progress == 0 ? 1 : Gain.factor(decibels: -depth * progress)
    }
    return current
  }
}
