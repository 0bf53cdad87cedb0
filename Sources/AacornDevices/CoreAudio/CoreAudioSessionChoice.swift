/// How a capturing app shares a phone's audio with other apps; has no effect on macOS, where
/// programs do not compete.
public struct CoreAudioSessionChoice: Sendable, Equatable {
  /// Whether the app plays sound as well.
  ///
  /// If not, the system pauses whatever else plays.
  public var playsSound: Bool
  /// Whether other apps may continue playing.
  public var mixesWithOthers: Bool
  /// Whether the app's own audio uses the loudspeaker rather than the earpiece.
  public var prefersSpeaker: Bool
  /// Whether a Bluetooth headset's microphone may be used.
  ///
  /// Such a microphone runs at 8, 16 or 24 kHz, and limits the headset's playback to the same.
  public var allowsBluetooth: Bool

  /// Creates a choice; by default others keep playing, and the built-in or a wired microphone is
  /// used.
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
