/// What a target needs from the system: real on Apple's systems, simulated by tests.
///
/// Everything except `route` is called on the controlling thread only.
protocol CoreAudioPlaybackHardware: Sendable {
  /// Posts everything that concerns a target to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system for playback, again after every interruption; the remarks list refused
  /// settings that are not essential.
  func activate(_ request: PlaybackRequest) throws(CaptureError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// The current audio route for a request; may be called on any thread.
  func route(
    for request: PlaybackRequest
  ) throws(CaptureError) -> CoreAudioRoute<PlaybackDevice>

  /// Opens a unit without starting it, and passes its channel count and its own latency in
  /// nanoseconds, known only then, to `makeOutlet`.
  func open(
    _ order: CoreAudioPlaybackOrder, _ makeOutlet: (Int, Int64) -> CoreAudioOutlet
  ) throws(CaptureError) -> any CoreAudioStream
}

/// What to open for a playback.
struct CoreAudioPlaybackOrder: Sendable {
  var request: PlaybackRequest
  /// What the samples of the feed are.
  var format: PlaybackFormat
  var route: CoreAudioRoute<PlaybackDevice>
  /// Receives the device's own events.
  var mailbox: CoreAudioMailbox
}
