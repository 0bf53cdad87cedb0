public import AacornDevices

/// How to hear what is being recorded.
public struct MonitorConfiguration: Sendable, Equatable {
  /// What is heard.
  public enum Point: Sendable, Equatable {
    /// The source as it is, with the least delay.
    case source
    /// What is recorded: with gain, mute and effects, and later by what they need.
    case recording
  }

  /// The device to play on, by its id or its name; nil for the system's default one.
  public var device: String?
  /// The system that has it; nil for the best one that works.
  public var backend: CaptureBackend?
  /// What is heard.
  public var point: Point
  /// The factor for what is heard.
  public var volume: Float

  /// Plays the source on the default device.
  public init(
    device: String? = nil, backend: CaptureBackend? = nil, point: Point = .source,
    volume: Float = 1
  ) {
    self.device = device
    self.backend = backend
    self.point = point
    self.volume = volume
  }

  /// How long a block of a source may be that is heard along, and sound wait to be played.
  package static let blockDuration = Duration.milliseconds(5)

  /// Looks for the device.
  func makeTarget() throws(PlaybackError) -> any PlaybackTarget {
    var request = PlaybackRequest(latency: Self.blockDuration)
    guard let device else {
      return try PlaybackSystems.makeTarget(request, backend: backend)
    }
    let found = try PlaybackSystems.device(called: device, backend: backend)
    request.device = .pinned(id: found.id)
    return try PlaybackSystems.makeTarget(request, backend: found.backend)
  }
}
