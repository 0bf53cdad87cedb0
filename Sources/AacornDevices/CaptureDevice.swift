/// Something that sound can be captured from.
public struct CaptureDevice: Sendable, Equatable {
  /// The system that offers it.
  public var backend: CaptureBackend
  /// What chooses it in a ``CaptureRequest``; the same after a restart.
  public var id: String
  /// What people call it.
  public var name: String
  /// More about it; may be empty.
  public var details: String
  /// The channels it has, 0 if that shows only when it is opened.
  public var channelCount: Int
  /// The rate it runs at, 0 if that shows only when it is opened.
  public var sampleRate: Int
  /// Whether the system takes it if no device is chosen.
  public var isDefault: Bool
  /// Whether it is what is being played rather than an input.
  public var isMonitor: Bool

  /// A device.
  public init(
    backend: CaptureBackend, id: String, name: String, details: String = "",
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
