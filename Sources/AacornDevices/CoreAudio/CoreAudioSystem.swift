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

  /// Asks the user for permission to use the microphone, unless the user has answered before; returns
  /// the answer.
  ///
  /// A recorder or a source of this system asks by itself. An app that captures by other means, such as
  /// an audio engine, asks first: without permission it would capture silence.
  public static func requestPermission() async -> Bool {
    #if os(watchOS)
    return false
    #else
    if let answer = CoreAudioPermission.isGranted { return answer }
    return await withCheckedContinuation { continuation in
      CoreAudioPermission.request { continuation.resume(returning: $0) }
    }
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
    return CoreAudioSource(request, on: CoreAudioMachine(choice: choice))
    #else
    return CoreAudioSource(request, on: CoreAudioSession(choice: choice))
    #endif
  }

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    watchRoute { _ in change() }
  }

  /// Calls `change` (on any thread) with the reason whenever the audio route changes, until the result
  /// is released.
  ///
  /// On a Mac, ``CoreAudioRouteReason/override`` means another default microphone, and
  /// ``CoreAudioRouteReason/newDevice`` that a device was connected or disconnected.
  public static func watchRoute(
    _ change: @escaping @Sendable (CoreAudioRouteReason) -> Void
  ) -> (any Sendable & AnyObject)? {
    #if os(watchOS)
    return nil
    #elseif os(macOS)
    return CoreAudioMachine.watchRoute(change)
    #else
    return CoreAudioSessionObservation { event in
      if case .routeChanged(let reason) = event { change(reason) }
    }
    #endif
  }

  /// Receives changes of devices on a thread of Core Audio instead of the main thread's run loop.
  ///
  /// Call it at the start of a Mac program that does not run the main run loop, such as a command-line
  /// program. Without it, such a program is not notified of changed devices. An app does not need it:
  /// it changes the thread of every Core Audio listener in the process, also of the app's own. It has
  /// no effect on other systems.
  public static func receiveChangesWithoutRunLoop() {
    #if os(macOS)
    CoreAudioListener.detachFromRunLoop()
    #endif
  }
}
#endif
