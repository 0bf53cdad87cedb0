/// The system functions that a source or target uses for its request: those of a phone's session
/// or of a Mac's devices.
///
/// All members except `requestPermission` and `route` are called on the controlling thread only.
protocol CoreAudioHardware: Sendable {
  /// Whether the device may be used; nil if the user has not been prompted.
  var isPermitted: Bool? { get }

  /// The duration after which an interruption is a failure; nil means no limit.
  var maxInterruptionDuration: Duration? { get }

  /// Prompts the user; calls `answer` on any thread, perhaps minutes later.
  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void)

  /// Posts every event that concerns the device to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system, again after every interruption.
  ///
  /// The returned diagnostics list rejected settings that are not essential.
  func activate() throws(DeviceError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// Returns the current audio route.
  func route() throws(DeviceError) -> CoreAudioRoute
}

/// The system functions that only a source uses.
protocol CoreAudioCaptureHardware: CoreAudioHardware {
  /// Opens a unit without starting it, and passes its format, known only then, to `makeFeed`.
  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(DeviceError) -> any CoreAudioStream
}

/// The parameters for opening a capture.
struct CoreAudioOrder: Sendable {
  var route: CoreAudioRoute
  /// The length of the longest block that did not fit, in frames.
  var neededFrameCount: Int
  /// Receives the device's own events and the audio thread's wakes.
  var mailbox: CoreAudioMailbox
}

/// The system functions that only a target uses.
protocol CoreAudioPlaybackHardware: CoreAudioHardware {
  var request: PlaybackRequest { get }

  /// Opens a unit without starting it, and calls `makeRenderer`.
  ///
  /// The arguments of `makeRenderer` are the unit's channel count and its own latency in
  /// nanoseconds, both known only once the unit is set up.
  func open(
    _ order: CoreAudioPlaybackOrder, _ makeRenderer: (Int, Int64) -> CoreAudioFeedRenderer
  ) throws(DeviceError) -> any CoreAudioStream
}

extension CoreAudioPlaybackHardware {
  /// Always true: every program may play.
  var isPermitted: Bool? { true }

  /// Always nil: unlike an interrupted recording, interrupted playback makes no file grow.
  var maxInterruptionDuration: Duration? { nil }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    answer(true)
  }
}

/// The parameters for opening a playback.
struct CoreAudioPlaybackOrder: Sendable {
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
