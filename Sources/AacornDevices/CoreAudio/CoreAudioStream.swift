/// An open unit.
protocol CoreAudioStream: AnyObject {
  /// What its audio thread moves.
  associatedtype Feed: CoreAudioFlow

  /// What the unit's audio thread uses.
  var feed: Feed { get }
  /// Deviations from the request.
  var remarks: [String] { get }
  /// Lets samples flow.
  func start() throws(CaptureError)
  /// Takes over another latency of the same device.
  func adopt(latency: Int64)
  /// Ends the flow and releases everything; afterwards no thread uses the feed.
  func close()
}

extension CoreAudioStream {
  /// Does nothing: the times of a capture stay continuous as long as its unit is open.
  func adopt(latency: Int64) {}
}

/// What moves samples between a unit and the program, as seen by the controlling thread.
protocol CoreAudioFlow: AnyObject {
  /// A number that keeps changing while samples flow.
  var progress: Int { get }
  /// The length of the blocks that did not fit, in frames; 0 if all did.
  var neededFrameCount: Int { get }
  /// The last error on the audio thread.
  var failure: CoreAudioStatus? { get }
}

extension CoreAudioFlow {
  /// Whether samples, and with them the notices, have passed.
  var hasDelivered: Bool { progress > 0 }
}

/// Installed observers.
protocol CoreAudioObservation: AnyObject {
  /// Removes them.
  func end()
}
