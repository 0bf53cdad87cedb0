import AacornSystem

/// The ducking of a track under other tracks: music under a voice, for example.
///
/// A sample of the other tracks that reaches the threshold in any channel lowers this track. It
/// stays lowered for the hold time after the last such sample. The other tracks are measured after
/// gain, pan, mute and fades, and before ducking. The gain moves linearly in decibels:
///
///     gain = −depth · x     x rises by 1 / (attack · rate) a sample while lowered, up to 1,
///                           and falls by 1 / (release · rate) a sample afterwards, down to 0
public struct Ducking: Sendable, Equatable {
  /// The tracks that cause ducking.
  public enum Trigger: Sendable, Equatable {
    /// The track with this name.
    case track(String)
    /// All other tracks.
    case others
  }

  /// The tracks that cause ducking.
  public var trigger: Trigger
  /// The level that starts ducking, in decibels relative to full scale, from −96 to 0.
  public var threshold: Double
  /// The attenuation in decibels, from 0 to 96.
  public var depth: Double
  /// The time from full level to the full depth.
  public var attack: Duration
  /// The time from the full depth back to full level.
  public var release: Duration
  /// The time for which the track stays lowered after the other tracks have fallen below the
  /// threshold.
  public var hold: Duration

  /// Creates a ducking; by default 12 dB under all tracks louder than −40 dB.
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

/// Follows the level of other tracks and computes the ducking factor of each sample.
struct Ducker {
  private let threshold: Float
  private let depth: Double
  private let rise: Double
  private let fall: Double
  private let holdLength: Int
  /// The number of samples for which the track stays lowered.
  private var heldCount = 0
  /// The part of the depth that is applied, from 0 to 1.
  private var appliedShare = 0.0
  /// The factor of the last sample.
  private var current: Float = 1

  /// Creates a ducker at full level.
  init(_ ducking: Ducking, sampleRate: Int) {
    func step(_ time: Duration) -> Double { 1 / Double(max(1, time.sampleCount(at: sampleRate))) }
    threshold = Gain.factor(decibels: ducking.threshold)
    depth = ducking.depth
    rise = step(ducking.attack)
    fall = step(ducking.release)
    holdLength = ducking.hold.sampleCount(at: sampleRate)
  }

  /// Returns the factor for a sample at which the other tracks have this peak.
  mutating func factor(at peak: Float) -> Float {
    let isReached = peak >= threshold
    let isLowered = isReached || heldCount > 0
    heldCount = isReached ? holdLength : max(0, heldCount - 1)
    let before = appliedShare
    appliedShare = isLowered ? min(1, appliedShare + rise) : max(0, appliedShare - fall)
    if appliedShare != before {
      current = appliedShare == 0 ? 1 : Gain.factor(decibels: -depth * appliedShare)
    }
    return current
  }
}
