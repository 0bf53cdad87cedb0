/// How an app shares a phone's sound with others while it captures; without effect on macOS, where
/// programs do not compete.
public struct CoreAudioSessionChoice: Sendable, Equatable {
  /// Whether the app plays sound as well.
  ///
  /// If not, the system pauses whatever else plays.
  public var playsSound: Bool
  /// Whether other apps may go on playing.
  public var mixesWithOthers: Bool
  /// Whether the app's own sound comes from the loudspeaker rather than from the earpiece.
  public var prefersSpeaker: Bool
  /// Whether a Bluetooth headset's microphone may be taken.
  ///
  /// Such a microphone has 8, 16 or 24 kHz, and the headset plays no better while it is in use.
  public var allowsBluetooth: Bool

  /// A choice; by default others go on playing, and the built-in or a wired microphone is taken.
  public init(
    playsSound: Bool = true, mixesWithOthers: Bool = true, prefersSpeaker: Bool = true,
    allowsBluetooth: Bool = false
  ) {
    self.playsSound = playsSound
    self.mixesWithOthers = mixesWithOthers
    self.prefersSpeaker = prefersSpeaker
    self.allowsBluetooth = allowsBluetooth
  }
}
