/// A change to a track of a running recording.
package enum TrackChange: Sendable {
  /// The gain in decibels.
  case gain(Double)
  /// The pan position, from left (−1) to right (1).
  case pan(Double)
  case muted(Bool)
  case solo(Bool)
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
