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
  ///
  /// If that is not before its end, it counts as one that cannot be read, and the next one begins.
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
  /// The most bits per second of what an address offers at several bitrates (HLS); nil for the best.
  ///
  /// If all of them have more, it is the one with the fewest.
  public var maximumBitrate: Int?
  /// How long a server of the web may be silent, from 50 milliseconds to an hour.
  ///
  /// Longer silence counts as a broken connection, which is made anew eight times with waits in
  /// proportion: a minute in all if this is 20 seconds. The head of an answer must arrive within
  /// that time as well, and a playlist at a reasonable pace, even if bytes keep trickling in.
  public var serverPatience = Duration.seconds(20)

  /// All items once, as they are.
  public init() {}
}
