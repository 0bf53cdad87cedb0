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
