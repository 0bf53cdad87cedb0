/// A change to a track of a running recording.
struct TrackCommand: Sendable {
  /// A kind of change, with its value.
  enum Change: Sendable {
    /// The gain in decibels.
    case gain(Double)
    /// The pan position, from left (−1) to right (1).
    case pan(Double)
    /// Whether the track is muted.
    case muted(Bool)
    /// Whether the track is soloed.
    case solo(Bool)
    /// The effects of the track.
    case effects([EffectDescription])
    /// Whether one of its effects, by index, is bypassed.
    case bypass(Int, Bool)
    /// The track becomes audible; a signal starts.
    case start
    /// The track falls silent; a signal ends.
    case stop
    /// The track stops if it is audible, and starts otherwise.
    case toggle
  }

  /// The track's name.
  var track: String
  /// The change to make.
  var change: Change
}
