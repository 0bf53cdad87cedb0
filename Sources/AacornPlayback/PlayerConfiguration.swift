public import AacornRecording

/// How items are played.
public struct PlayerConfiguration: Sendable, Equatable {
  /// What comes after an item.
  public enum Loop: String, Sendable, CaseIterable {
    /// The next item, and the end after the last one.
    case none
    /// The same item again.
    case item
    /// The next item, and the first one after the last.
    case list
  }

  /// What comes after an item.
  public var loop = Loop.none
  /// Where the first item begins.
  public var start = Duration.zero
  /// How many times as fast as it is the sound is played, at the same pitch: 0.5 to 2.
  public var speed = 1.0
  /// What the sound goes through before its speed and its volume, item after item as if they were one.
  ///
  /// Effects that hear ahead change neither times nor lengths.
  public var effects: [EffectDescription] = []
  /// The factor by which samples are multiplied: 0 is silence, 1 leaves them as they are.
  public var volume: Float = 1
  /// Whether nothing is heard before ``Player/resume()``.
  public var isPaused = false

  /// All items once, as they are.
  public init() {}
}
