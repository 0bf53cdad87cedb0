public import AacornRecording

/// The settings of a playback.
public struct PlayerConfiguration: Sendable, Equatable {
  /// The behavior at the end of an item.
  public enum Loop: String, Sendable, CaseIterable {
    /// Play the next item. End after the last one.
    case none
    /// Repeat the item.
    case item
    /// Play the next item. Continue with the first one after the last.
    case list
  }

  /// The behavior at the end of an item.
  public var loop = Loop.none
  /// The start position in the first item.
  ///
  /// If the item is not longer than that, it counts as unreadable, and the next item starts.
  public var start = Duration.zero
  /// The speed from 0.5 to 2, at the same pitch.
  public var speed = 1.0
  /// The effects, applied before speed and volume.
  ///
  /// Consecutive items are processed as one stream.
  ///
  /// The look-ahead of effects is compensated: it changes neither positions nor durations.
  public var effects: [EffectDescription] = []
  /// The factor that samples are multiplied by: 0 is silence, 1 leaves them unchanged.
  public var volume: Float = 1
  /// Whether the playback starts paused, until ``Player/resume()``.
  public var isPaused = false
  /// The maximum bitrate for addresses that offer several bitrates (HLS), in bits per second; nil
  /// for the highest.
  ///
  /// If all bitrates are higher, the lowest one is used.
  public var maximumBitrate: Int?
  /// The maximum time that a web server may be silent, from 50 milliseconds to an hour.
  ///
  /// A longer silence counts as a broken connection. The connection is reopened up to eight times,
  /// after delays in proportion to this value: about a minute in total for 20 seconds. The head of a
  /// response must arrive within this time. A playlist must also arrive within this time, plus the
  /// same time for every 32 KiB.
  public var serverTimeout = Duration.seconds(20)

  /// Creates settings that play all items once, without changes.
  public init() {}
}
