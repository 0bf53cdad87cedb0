#if canImport(AudioToolbox)
/// Playback on Apple's systems.
public enum CoreAudioPlaybackSystem: PlaybackSystem {
  /// The backend that this system implements.
  public static var backend: CaptureBackend { .coreAudio }

  /// Throws the reason if the system cannot be used now.
  public static func checkAvailability() throws(PlaybackError) {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #endif
  }

  /// The available devices, the default one first; of a phone, only the one in use.
  public static func playbackDevices() throws(PlaybackError) -> [PlaybackDevice] {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioDevices(direction: .playback).all.map(\.playbackDevice)
    #else
    return CoreAudioPlaybackSession.outputs()
    #endif
  }

  /// Creates a target for a request without opening anything.
  ///
  /// On a phone it makes the app's audio session one for playback, unless the app has chosen a
  /// category that plays as well.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioTarget(request, on: CoreAudioPlaybackMachine())
    #else
    return CoreAudioTarget(request, on: CoreAudioPlaybackSession())
    #endif
  }
}
#endif
