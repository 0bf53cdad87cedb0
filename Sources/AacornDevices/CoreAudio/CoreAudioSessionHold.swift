/// Keeps the audio session of a phone's app active as long as it lives, also when no source or
/// target of this library uses it any more.
///
/// An app that plays something by other means keeps one while it does, since that would stop:
///
///     let hold = CoreAudioSessionHold()
///
/// On other systems it does nothing.
public final class CoreAudioSessionHold: Sendable {
  /// Begins to keep the session active.
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
