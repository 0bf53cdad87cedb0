import AacornSystem

/// The mixing settings of one source in a recording of several.
///
/// By default the audio of a track is unchanged: at its own level, in the center, from the
/// beginning.
public struct TrackConfiguration: Sendable, Equatable {
  /// The track's name in events, commands and file names; unique within the recording.
  public var name: String
  /// The effects before gain, pan and ducking, at most 32; see <doc:Effects>.
  ///
  /// The latency of effects is compensated: the tracks stay aligned to the sample.
  public var effects: [EffectDescription] = []
  /// The gain in decibels, from −60 to 60.
  public var gain = 0.0
  /// The pan position, from left (−1) to right (1); for recordings with two channels.
  ///
  /// The power is constant, and the center is 3 dB below a side:
  ///
  ///     left = √2 · cos(π/4 · (pan + 1))     right = √2 · sin(π/4 · (pan + 1))
  ///
  /// A centered track is unchanged. At a side, one channel is silent and the other is 3 dB louder.
  /// A source's left channel stays on the left.
  public var pan = 0.0
  /// Whether the track begins muted.
  public var isMuted = false
  /// Whether the track is soloed: only soloed tracks are audible.
  public var isSolo = false
  /// The ducking under other tracks; nil for none.
  public var ducking: Ducking?
  /// The echo cancellation, which precedes all other processing; nil for none.
  public var echoCancellation: EchoCancellation?
  /// The start of a signal after the recording's beginning, at most a day; the delay of a device,
  /// at most ten seconds.
  ///
  /// Must be zero for the first track, whose time line is the recording's.
  public var startOffset = Duration.zero
  /// The start of an automatic fade-out after the recording's beginning, later than the start and
  /// at most a day; nil for none.
  public var stopOffset: Duration?
  /// Whether a signal repeats whenever it ends.
  public var loops = false
  /// Whether the track starts without a command.
  public var startsByItself = true
  /// The duration of the fade when the track starts.
  public var fadeIn = Duration.zero
  /// The duration of the fade when the track stops.
  public var fadeOut = Duration.zero

  /// Creates the configuration of an unchanged track.
  public init(_ name: String) { self.name = name }
}

extension RecordingConfiguration {
  /// The configuration for a track; gain and mute apply to the mix instead.
  var forTrack: RecordingConfiguration {
    var configuration = self
    configuration.gain = 1
    configuration.isMuted = false
    return configuration
  }

  /// The configuration for a follower track, which follows the leader rather than the wall clock.
  var forFurtherTrack: RecordingConfiguration {
    var configuration = forTrack
    configuration.channelMap = []
    configuration.followsWallClock = false
    return configuration
  }
}

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
