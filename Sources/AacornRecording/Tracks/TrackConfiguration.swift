/// How one source of several is heard in a recording.
///
/// Without a change a track is heard as it is: at its own level, in the middle, from the beginning.
public struct TrackConfiguration: Sendable, Equatable {
  /// What the track is called in events, in commands and in the names of files; no other track of
  /// the recording has the same name.
  public var name: String
  /// What it goes through before its gain, its pan and its ducking, 32 effects at most; see
  /// <doc:Effects>.
  ///
  /// Effects that hear ahead change neither times nor lengths: the tracks stay beside each other to the
  /// sample.
  public var effects: [EffectDescription]
  /// How much louder it is, in decibels from −60 to 60.
  public var gain: Double
  /// Where it is between left (−1) and right (1); for recordings with two channels.
  ///
  /// The power is constant, and the middle lies 3 dB below a side:
  ///
  ///     left = √2 · cos(π/4 · (pan + 1))     right = √2 · sin(π/4 · (pan + 1))
  ///
  /// So a track in the middle stays as it is, and at a side one channel is silent and the other
  /// 3 dB louder. What a source has on its left stays on the left.
  public var pan: Double
  /// Whether it begins muted.
  public var isMuted: Bool
  /// Whether only this track, and others with the same wish, are heard.
  public var isSolo: Bool
  /// When it gives way to other tracks; nil means never.
  public var ducking: Ducking?
  /// What it hears of another track, which is taken out of it before anything else; nil means nothing.
  public var echoCancellation: EchoCancellation?
  /// How long after the recording's beginning a signal is played, at most a day; by how much a device
  /// is heard later than it is, at most ten seconds.
  ///
  /// The first track, whose time is the recording's, has none.
  public var startOffset: Duration
  /// How long after the recording's beginning it begins to fall silent by itself, later than it starts
  /// and at most a day; nil if it does not.
  public var stopOffset: Duration?
  /// Whether a signal is played again whenever it ends.
  public var loops: Bool
  /// Whether it is heard without a command.
  public var startsByItself: Bool
  /// How long it takes to become fully audible when it starts.
  public var fadeIn: Duration
  /// How long it takes to fall silent when it is stopped.
  public var fadeOut: Duration

  /// Creates the configuration of a track that is heard as it is.
  public init(_ name: String) {
    self.name = name
    effects = []
    gain = 0
    pan = 0
    isMuted = false
    isSolo = false
    ducking = nil
    echoCancellation = nil
    startOffset = .zero
    stopOffset = nil
    loops = false
    startsByItself = true
    fadeIn = .zero
    fadeOut = .zero
  }
}
