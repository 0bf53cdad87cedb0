/// A device from which audio can be captured, or on which it can be played.
public struct Device: Sendable, Equatable {
  /// The system that provides the device.
  public var backend: DeviceBackend
  /// The identifier that selects the device in a request; unchanged by a restart of the machine.
  public var id: String
  /// The display name of the device.
  public var name: String
  /// Further details; may be empty.
  public var details: String
  /// The channel count, or 0 if unknown until the device is opened.
  public var channelCount: Int
  /// The sample rate in hertz, or 0 if unknown until the device is opened.
  public var sampleRate: Int
  /// Whether the system uses the device if no device is chosen.
  public var isDefault: Bool
  /// Whether the device captures the audio being played rather than an input.
  public var isMonitor: Bool

  /// Creates a description of a device.
  public init(
    backend: DeviceBackend, id: String, name: String, details: String = "",
    channelCount: Int = 0, sampleRate: Int = 0, isDefault: Bool = false, isMonitor: Bool = false
  ) {
    self.backend = backend
    self.id = id
    self.name = name
    self.details = details
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.isDefault = isDefault
    self.isMonitor = isMonitor
  }
}
