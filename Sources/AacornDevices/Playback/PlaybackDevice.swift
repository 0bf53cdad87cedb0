/// Something that sound can be played on.
public struct PlaybackDevice: Sendable, Equatable {
  /// The system that offers it.
  public var backend: CaptureBackend
  /// Selects it in a ``PlaybackRequest``; the same after a restart.
  public var id: String
  /// Its display name.
  public var name: String
  /// More about it; may be empty.
  public var details: String
  /// Its channel count, or 0 if unknown until it is opened.
  public var channelCount: Int
  /// Its sample rate, or 0 if unknown until it is opened.
  public var sampleRate: Int
  /// Whether the system uses it if no device is chosen.
  public var isDefault: Bool

  /// Creates a device.
  public init(
    backend: CaptureBackend, id: String, name: String, details: String = "",
    channelCount: Int = 0, sampleRate: Int = 0, isDefault: Bool = false
  ) {
    self.backend = backend
    self.id = id
    self.name = name
    self.details = details
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.isDefault = isDefault
  }
}
