/// What a source needs from the system: real on Apple's systems, simulated by tests.
///
/// Everything except `requestPermission` is called on the controlling thread only.
protocol CoreAudioHardware: Sendable {
  /// Whether the microphone may be used; nil if the user has not been asked.
  var isPermitted: Bool? { get }

  /// How long an interruption may last before the source fails; nil means forever.
  var longestInterruption: Duration? { get }

  /// Asks the user; the answer comes on any thread, perhaps minutes later.
  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void)

  /// Posts everything that concerns a source to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system for capture, again after every interruption; the remarks list refused
  /// settings that are not essential.
  func activate(_ request: CaptureRequest) throws(CaptureError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// The current audio route for a request.
  func route(for request: CaptureRequest) throws(CaptureError) -> CoreAudioRoute<CaptureDevice>

  /// Opens a unit without starting it, and passes its format, known only then, to `makeFeed`.
  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(CaptureError) -> any CoreAudioStream
}

/// What to open for a capture.
struct CoreAudioOrder: Sendable {
  var request: CaptureRequest
  var route: CoreAudioRoute<CaptureDevice>
  /// The longest block so far that did not fit, in frames.
  var neededFrameCount: Int
  /// Receives the device's own events and the audio thread's pokes.
  var mailbox: CoreAudioMailbox
}
