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
