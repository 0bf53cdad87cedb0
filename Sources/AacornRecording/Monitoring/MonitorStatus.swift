/// How what is heard along comes through.
public struct MonitorStatus: Sendable, Equatable {
  /// From the capture of a sample until it sounds, as far as the devices tell.
  public var latency: Duration?
  /// Frames that wait for the device, in the mean of the last quarter of a second.
  public var waitingFrameCount = 0
  /// How often the device found nothing to play.
  public var underrunCount = 0
  /// How often sound was left out, because too much was waiting.
  public var skipCount = 0
  /// The factor for what is heard, below 1 while the microphone hears it.
  public var damping: Float = 1

  /// The status before anything was heard.
  public init() {}
}
