public import AacornDevices

/// The settings for monitoring a recording.
public struct MonitorConfiguration: Sendable, Equatable {
  /// The point in the signal path that is monitored.
  public enum Point: Sendable, Equatable {
    /// The unprocessed source, with the shortest delay.
    case source
    /// The recorded audio: with gain, mute and effects, delayed by their latency.
    case recording
  }

  /// The playback device, by its id or its name; nil for the system's default.
  public var device: String?
  /// The sound system of the device; nil for the best one that works.
  public var backend: DeviceBackend?
  /// The monitored point.
  public var point: Point
  /// The volume factor.
  public var volume: Float

  /// Creates settings; by default for the source, on the default device.
  public init(
    device: String? = nil, backend: DeviceBackend? = nil, point: Point = .source,
    volume: Float = 1
  ) {
    self.device = device
    self.backend = backend
    self.point = point
    self.volume = volume
  }

  /// The maximum duration of a monitored source's block, and of the audio that waits for playback.
  package static let blockDuration = Duration.milliseconds(5)

  /// Finds the device and creates its playback target.
  func makeTarget() throws(DeviceError) -> any PlaybackTarget {
    var request = PlaybackRequest(latency: Self.blockDuration)
    guard let device else {
      return try DeviceSystems.makeTarget(request, backend: backend)
    }
    let found = try DeviceSystems.output(called: device, backend: backend)
    request.device = .pinned(id: found.id)
    return try DeviceSystems.makeTarget(request, backend: found.backend)
  }
}
