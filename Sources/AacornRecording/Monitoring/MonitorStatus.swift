/// The state of a monitor.
public struct MonitorStatus: Sendable, Equatable {
  /// The latency from the capture of a sample to its playback, if the devices report it.
  public var latency: Duration?
  /// The mean number of frames waiting for the device in the last quarter of a second.
  public var waitingFrameCount = 0
  /// The number of times that the device found nothing to play.
  public var underrunCount = 0
  /// The number of times that frames were dropped because too many were waiting.
  public var skipCount = 0
  /// The gain factor of the feedback guard: 1, or less while the microphone picks up the monitor.
  public var feedbackGain: Float = 1

  /// Creates the status before playback.
  public init() {}
}
