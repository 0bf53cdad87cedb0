/// The system functions that a source uses: real on Apple's systems, simulated by tests.
///
/// All members except `requestPermission` are called on the controlling thread only.
protocol CoreAudioHardware: Sendable {
  /// Whether the microphone may be used; nil if the user has not been prompted.
  var isPermitted: Bool? { get }

  /// The duration after which an interruption makes the source fail; nil means no limit.
  var maxInterruptionDuration: Duration? { get }

  /// Prompts the user; calls `answer` on any thread, perhaps minutes later.
  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void)

  /// Posts every event that concerns a source to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system for capture, again after every interruption.
  ///
  /// The returned diagnostics list rejected settings that are not essential.
  func activate(_ request: CaptureRequest) throws(DeviceError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// Returns the current audio route for a request.
  func route(for request: CaptureRequest) throws(DeviceError) -> CoreAudioRoute

  /// Opens a unit without starting it, and passes its format, known only then, to `makeFeed`.
  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(DeviceError) -> any CoreAudioStream
}

/// The parameters for opening a capture.
struct CoreAudioOrder: Sendable {
  var request: CaptureRequest
  var route: CoreAudioRoute
  /// The length of the longest block that did not fit, in frames.
  var neededFrameCount: Int
  /// Receives the device's own events and the audio thread's wakes.
  var mailbox: CoreAudioMailbox
}
