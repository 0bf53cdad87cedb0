/// A source of captured audio.
///
/// A source opens its device in `start`, then calls its sink on its own thread (or the system's)
/// until `stop`. A disconnected device or server does not end it: the source sends an event, waits,
/// and resumes.
public protocol CaptureSource: AnyObject, Sendable {
  /// The device in use, or the last one.
  var device: Device? { get }

  /// The error that ended the source, after the event ``DeviceEvent/failed``.
  ///
  /// If the source plays a file, it may also be an error about damage in the file, which does not
  /// end the source.
  var failure: DeviceError? { get }

  /// Whether the source's blocks use the monotonic clock; a simulation may have its own.
  var followsClock: Bool { get }

  /// Diagnostics, such as a missing real-time priority.
  var diagnostics: [String] { get }

  /// Opens the device and starts capturing; blocks and events go to `sink`.
  ///
  /// A running source throws ``DeviceError/alreadyRunning(id:)`` and continues. After any other
  /// error the device is closed, and the caller does not call `stop`.
  func start(_ sink: CaptureSink) throws(DeviceError)

  /// Reopens an unavailable or interrupted device immediately, without waiting for an event or a
  /// retry.
  ///
  /// It may be called at any time and does not wait for the device. A source that retries within a
  /// moment by itself needs no implementation.
  func resume()

  /// Ends the capture.
  ///
  /// When it returns, all samples captured before are in the sink, and no more follow. A second
  /// call has no effect.
  func stop()
}

extension CaptureSource {
  /// Has no effect.
  public func resume() {}
}

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

/// The choice of a device in a request.
public enum DeviceChoice: Sendable, Equatable {
  /// The system's default device, and the new one when the default changes.
  case followingDefault
  /// This device only; while it is unavailable, the source or target waits for it.
  case pinned(id: String)

  /// The id of the required device; nil follows the default.
  var pinnedID: String? {
    switch self {
    case .followingDefault: nil
    case .pinned(let id): id
    }
  }
}
