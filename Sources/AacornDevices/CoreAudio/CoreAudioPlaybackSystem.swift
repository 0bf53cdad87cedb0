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

  /// Returns the available devices, the default device first; on a phone, only the device in use.
  public static func playbackDevices() throws(PlaybackError) -> [Device] {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioDevices(direction: .playback).all
    #else
    return CoreAudioPlaybackSession.outputs()
    #endif
  }

  /// Creates a target for a request without opening a device.
  ///
  /// On a phone the target sets the app's audio session up for playback, unless the app has chosen
  /// a category that plays.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    try makeTarget(request, sharing: .forApp)
  }

  /// Creates a target for a request, with options for the audio session of a phone's app.
  ///
  /// A target uses only the options for the session's control and deactivation.
  public static func makeTarget(
    _ request: PlaybackRequest, sharing choice: CoreAudioSessionOptions
  ) throws(PlaybackError) -> any PlaybackTarget {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioTarget(request, on: CoreAudioPlaybackMachine())
    #else
    return CoreAudioTarget(request, on: CoreAudioPlaybackSession(choice: choice))
    #endif
  }
}
#endif
