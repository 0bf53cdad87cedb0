/// Keeps the audio session of a phone's app active for the lifetime of this object.
///
/// The session stays active even if no source or target of this library uses it any more. An app
/// that plays audio by other means keeps an instance during that playback, because a deactivated
/// session would stop it:
///
///     let activation = CoreAudioSessionActivation()
///
/// On other systems it has no effect.
public final class CoreAudioSessionActivation: Sendable {
  /// Keeps the session active from now on.
  public init() {
    #if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
    CoreAudioSessionUse.hold()
    #endif
  }

  deinit {
    #if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
    CoreAudioSessionUse.release()
    #endif
  }
}
