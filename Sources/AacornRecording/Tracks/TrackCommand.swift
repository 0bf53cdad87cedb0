/// What is to change on a track of a running recording.
struct TrackCommand: Sendable {
  /// What is to change.
  enum Change: Sendable {
    /// The gain in decibels.
    case gain(Double)
    /// The place between left and right.
    case pan(Double)
    /// Whether the track is muted.
    case muted(Bool)
    /// Whether it is heard alone.
    case solo(Bool)
    /// What it goes through.
    case effects([EffectDescription])
    /// Whether one of its effects, by its index, is passed by.
    case bypass(Int, Bool)
    /// It is heard; a signal begins.
    case start
    /// It falls silent; a signal ends.
    case stop
    /// It stops if it is heard, and starts otherwise.
    case toggle
  }

  /// The track's name.
  var track: String
  /// What is to change.
  var change: Change
}
