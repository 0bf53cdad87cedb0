/// What a source needs of the system: real on Apple's systems, and played by tests.
///
/// All but `requestPermission` is called on the controlling thread alone.
protocol CoreAudioHardware: Sendable {
  /// Whether the microphone may be used; nil if the person has not been asked.
  var isPermitted: Bool? { get }

  /// Asks the person; the answer comes on any thread, perhaps after minutes.
  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void)

  /// Has everything that concerns a source told to `post`, until the result is told to end.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Makes the system ready for capture, again after every interruption; remarks say what it
  /// refused without need to give up.
  func activate(_ request: CaptureRequest) throws(CaptureError) -> [String]

  /// Gives back what `activate` took.
  func deactivate()

  /// Where a request's sound comes from now.
  func route(for request: CaptureRequest) throws(CaptureError) -> CoreAudioRoute

  /// Opens a unit, which does not run yet. Its format, which is known only then, goes to `makeFeed`.
  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(CaptureError) -> any CoreAudioStream
}

/// What is to be opened.
struct CoreAudioOrder: Sendable {
  var request: CaptureRequest
  var route: CoreAudioRoute
  /// The frames of the longest block that came so far and did not fit.
  var neededFrameCount: Int
  /// Where the device's own events and the audio thread's pokes go.
  var mailbox: CoreAudioMailbox
}

/// An open unit.
protocol CoreAudioStream: AnyObject {
  /// What the unit's audio thread works with.
  var feed: CoreAudioFeed { get }
  /// What was not as asked for.
  var remarks: [String] { get }
  /// Lets the samples flow.
  func start() throws(CaptureError)
  /// Ends the flow and gives back all that was taken; afterwards no thread uses the feed.
  func close()
}

/// Observers that are in place.
protocol CoreAudioObservation: AnyObject {
  /// Removes them.
  func end()
}
