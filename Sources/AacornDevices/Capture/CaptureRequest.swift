/// The requested properties of a capture.
public struct CaptureRequest: Sendable, Equatable {
  /// The choice of the device.
  public var device: DeviceChoice
  /// Frames per second; nil means the device's own rate.
  ///
  /// A source may deliver another rate, which its blocks state.
  public var sampleRate: Int?
  /// The number of channels; nil means the device's own number.
  ///
  /// Leave it nil also to record only certain channels of the device.
  public var channelCount: Int?
  /// The preferred duration of a block.
  public var blockDuration: Duration
  /// Whether the system must remove echo and noise.
  public var isVoiceProcessed: Bool
  /// The program's name in the system's mixers.
  public var applicationName: String

  /// Creates a request, by default for the default device's own format in blocks of 10 ms.
  public init(
    device: DeviceChoice = .followingDefault, sampleRate: Int? = nil, channelCount: Int? = nil,
    blockDuration: Duration = .milliseconds(10), isVoiceProcessed: Bool = false,
    applicationName: String = "Aacorn"
  ) {
    self.device = device
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.blockDuration = blockDuration
    self.isVoiceProcessed = isVoiceProcessed
    self.applicationName = applicationName
  }
}
