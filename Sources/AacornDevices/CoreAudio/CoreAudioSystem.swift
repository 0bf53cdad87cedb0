#if canImport(AudioToolbox)
/// Capture and playback on Apple's systems.
public enum CoreAudioSystem: DeviceSystem {
  /// The backend that this system implements.
  public static var backend: DeviceBackend { .coreAudio }

  /// Throws the reason if the system cannot be used now.
  public static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #else
    // If the user has not been prompted yet, starting a source prompts.
    if direction == .capture && CoreAudioPermission.isGranted == false {
      throw .permissionDenied(id: "microphone")
    }
    #endif
  }

  /// Prompts the user for permission to use the microphone, unless the user has decided before.
  ///
  /// A recorder or a source of this system prompts by itself. An app that captures by other means,
  /// such as an audio engine, calls this first: without permission it would capture silence.
  ///
  /// - Returns: Whether the user grants access.
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

  /// Returns the available devices, the default device first.
  ///
  /// A phone shows inputs only to an app with an audio session set up for capture, as it is after a
  /// source has started. Until then the result is one entry for the system's choice. Of its outputs,
  /// a phone shows only the one in use. On a Mac, the devices that voice processing creates for
  /// itself are omitted.
  public static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioDevices(direction: direction).all
    #else
    return direction == .capture ? CoreAudioSession.inputs() : CoreAudioPlaybackSession.outputs()
    #endif
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(DeviceError) -> any CaptureSource {
    try makeSource(request, sharing: .forApp)
  }

  /// Creates a source for a request, with options for the audio session of a phone's app.
  public static func makeSource(
    _ request: CaptureRequest, sharing choice: CoreAudioSessionOptions
  ) throws(DeviceError) -> any CaptureSource {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioSource(on: CoreAudioMachine(request: request, choice: choice))
    #else
    return CoreAudioSource(on: CoreAudioSession(request, choice: choice))
    #endif
  }

  /// Creates a target for a request without opening a device.
  ///
  /// On a phone the target sets the app's audio session up for playback, unless the app has chosen
  /// a category that plays.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(DeviceError) -> any PlaybackTarget {
    try makeTarget(request, sharing: .forApp)
  }

  /// Creates a target for a request, with options for the audio session of a phone's app.
  ///
  /// A target uses only the options for the session's control and deactivation.
  public static func makeTarget(
    _ request: PlaybackRequest, sharing choice: CoreAudioSessionOptions
  ) throws(DeviceError) -> any PlaybackTarget {
    #if os(watchOS)
    throw .backendUnavailable(.coreAudio)
    #elseif os(macOS)
    return CoreAudioTarget(on: CoreAudioPlaybackMachine(request: request))
    #else
    return CoreAudioTarget(on: CoreAudioPlaybackSession(request, choice: choice))
    #endif
  }

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    watchRoute { _ in change() }
  }

  /// Calls `change` (on any thread) with the reason whenever the audio route changes, until the
  /// result is released.
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
  /// Call it at the start of a Mac program that does not run the main run loop, such as a
  /// command-line program. Otherwise the program is not notified of changed devices. An app should
  /// not call it, because it changes the thread of every Core Audio listener in the process,
  /// including the app's own. It has no effect on other systems.
  public static func receiveChangesWithoutRunLoop() {
    #if os(macOS)
    CoreAudioListener.detachFromRunLoop()
    #endif
  }
}
#endif
