#if canImport(AudioToolbox)
/// Captures on Apple's systems.
public enum CoreAudioSystem: CaptureSystem {
  /// The backend that this system implements.
  public static var backend: CaptureBackend { .coreAudio }

  /// Throws the reason if the system cannot be used now.
  public static func checkAvailability() throws(CaptureError) {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #else
    // If the user has not been asked yet, starting a source will ask.
    if CoreAudioPermission.isGranted == false { throw .permissionDenied(id: "microphone") }
    #endif
  }

  /// The available devices, the default one first.
  ///
  /// A phone shows them only to an app whose audio session is set up for capture, as it is after a
  /// source has started; before that there is one entry for whichever the system chooses. On a Mac,
  /// those that voice processing makes for itself are left out.
  public static func devices() throws(CaptureError) -> [CaptureDevice] {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioDevices(direction: .capture).all.map(\.captureDevice)
    #else
    return CoreAudioSession.inputs()
    #endif
  }

  /// Creates a source for a request without opening anything.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(CaptureError) -> any CaptureSource {
    try makeSource(request, sharing: .forApp)
  }

  /// Creates a source for a request that treats the audio session of a phone's app as chosen.
  public static func makeSource(
    _ request: CaptureRequest, sharing choice: CoreAudioSessionChoice
  ) throws(CaptureError) -> any CaptureSource {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioSource(request, on: CoreAudioMachine())
    #else
    return CoreAudioSource(request, on: CoreAudioSession(choice: choice))
    #endif
  }

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    #if os(watchOS)
    return nil
    #elseif os(macOS)
    return CoreAudioMachine.watchDevices(change)
    #else
    return CoreAudioSessionObservation { event in
      if case .routeChanged = event { change() }
    }
    #endif
  }
}
#endif
