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

/// The system functions that a target uses: real on Apple's systems, simulated by tests.
///
/// All members except `route` are called on the controlling thread only.
protocol CoreAudioPlaybackHardware: Sendable {
  /// Posts every event that concerns a target to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system for playback, again after every interruption.
  ///
  /// The returned diagnostics list rejected settings that are not essential.
  func activate(_ request: PlaybackRequest) throws(DeviceError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// Returns the current audio route for a request; may be called on any thread.
  func route(
    for request: PlaybackRequest
  ) throws(DeviceError) -> CoreAudioRoute

  /// Opens a unit without starting it, and calls `makeRenderer`.
  ///
  /// The arguments of `makeRenderer` are the unit's channel count and its own latency in
  /// nanoseconds, both known only once the unit is set up.
  func open(
    _ order: CoreAudioPlaybackOrder, _ makeRenderer: (Int, Int64) -> CoreAudioFeedRenderer
  ) throws(DeviceError) -> any CoreAudioStream
}

/// The parameters for opening a playback.
struct CoreAudioPlaybackOrder: Sendable {
  var request: PlaybackRequest
  /// The format of the feed's samples.
  var format: PlaybackFormat
  var route: CoreAudioRoute
  /// Receives the device's own events.
  var mailbox: CoreAudioMailbox
}

/// A capturing or playing audio unit that has been opened.
protocol CoreAudioStream: AnyObject {
  /// The type of the object that moves the unit's samples.
  associatedtype Feed: CoreAudioFlow

  /// The object that moves samples on the unit's audio thread.
  var feed: Feed { get }
  /// Deviations from the request.
  var diagnostics: [String] { get }
  /// Starts the flow of samples.
  func start() throws(DeviceError)
  /// Uses a new latency, which the same device now reports.
  func update(latency: Int64)
  /// Ends the flow and releases everything; afterward no thread uses the feed.
  func close()
}

extension CoreAudioStream {
  /// Has no effect: the times of a capture stay continuous as long as its unit is open.
  func update(latency: Int64) {}
}

/// An object that moves samples between a unit and the program: the part that the controlling
/// thread uses.
protocol CoreAudioFlow: AnyObject {
  /// A number that keeps changing while samples flow.
  var progress: Int { get }
  /// The length of the longest block that did not fit, in frames; 0 if all fit.
  var neededFrameCount: Int { get }
  /// The last error on the audio thread.
  var failure: CoreAudioStatus? { get }
}

extension CoreAudioFlow {
  /// Whether samples, and with them the events, have been delivered.
  var hasDelivered: Bool { progress > 0 }
}

/// The observers that `observe` has installed.
protocol CoreAudioObservation: AnyObject {
  /// Removes the observers.
  func end()
}
