public import AacornDevices
import AacornSystem

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

/// An event of the monitor.
public enum MonitorEvent: Sendable, Equatable {
  /// The monitor plays on this device.
  case started(Device?)
  /// The monitor cannot play; the recording continues without it.
  case refused(DeviceError)
  /// The device or the sound server was disconnected.
  case deviceLost
  /// The device is connected again.
  case deviceReturned(Device?)
  /// The sound server has moved the monitor to this device.
  case deviceChanged(Device?)
  /// The system has suspended the device.
  case suspended
  /// The system has resumed the device.
  case resumed
  /// Microphone and loudspeakers belong to one device, so that feedback is likely.
  case mayFeedBack
  /// The microphone picks up the loudspeakers, so the monitor was made quieter.
  case feedback
  /// The monitor has stopped.
  case stopped

  /// A message about the event, for a user; nil if it is not needed.
  package var message: String? { message { $0.message } }

  /// Returns the message with the caller's text for the reason of a failure.
  package func message(_ errorMessage: (DeviceError) -> String) -> String? {
    switch self {
    case .started(let device): return "Monitoring on \(Self.name(device))."
    case .refused(let error):
      return "Monitoring is not available. \(errorMessage(error))"
    case .deviceLost:
      return "The monitor output was disconnected. Recording continues."
    case .deviceReturned: return "Monitoring has resumed."
    case .deviceChanged(let device): return "Now monitoring on \(Self.name(device))."
    case .suspended:
      return "The monitor output was suspended. Recording continues."
    case .resumed: return "The monitor output has resumed."
    case .mayFeedBack:
      return "The microphone may pick up the loudspeakers. Use headphones."
    case .feedback:
      return "The microphone picks up the loudspeakers. Their volume was reduced. Use headphones."
    case .stopped: return nil
    }
  }

  private static func name(_ device: Device?) -> String {
    guard let device else { return "a device" }
    return "“\(displayed(device.name.isEmpty ? device.id : device.name))”"
  }

  /// Whether the event is reported only in verbose mode.
  package var isVerboseOnly: Bool {
    switch self {
    case .started, .stopped: true
    case .refused, .deviceLost, .deviceReturned, .deviceChanged, .suspended, .resumed,
      .mayFeedBack, .feedback:
      false
    }
  }

  /// The machine-readable name of the event.
  package var keyword: String {
    switch self {
    case .started: "started"
    case .refused: "refused"
    case .deviceLost: "device-lost"
    case .deviceReturned: "device-returned"
    case .deviceChanged: "device-changed"
    case .suspended: "suspended"
    case .resumed: "resumed"
    case .mayFeedBack: "may-feed-back"
    case .feedback: "feedback"
    case .stopped: "stopped"
    }
  }
}

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
