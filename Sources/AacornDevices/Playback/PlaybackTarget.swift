public import AacornSignal

/// An output that plays audio.
///
/// A target opens its device in `start`, then reads samples from its feed on its own thread (or the
/// system's) until `stop`. A disconnected device or server does not end it: the target sends an
/// event to the feed, waits, and continues with the next samples.
public protocol PlaybackTarget: AnyObject, Sendable {
  /// The device in use, or the last one.
  var device: Device? { get }

  /// The error that ended the target, after the event ``DeviceEvent/failed``.
  var failure: DeviceError? { get }

  /// Diagnostics, such as a missing real-time priority.
  var diagnostics: [String] { get }

  /// Returns the format that the device plays without conversion, if it is known before opening.
  func preferredFormat() throws(DeviceError) -> PlaybackFormat

  /// Opens the device for the feed's format, and begins to play.
  ///
  /// A running target throws ``DeviceError/alreadyRunning(id:)`` and continues; a stopped target
  /// can be started again.
  func start(_ feed: PlaybackFeed) throws(DeviceError)

  /// Reopens an unavailable or interrupted device immediately, without waiting for an event or a
  /// retry.
  ///
  /// It may be called at any time and does not wait for the device. A target that retries within a
  /// moment by itself needs no implementation.
  func resume()

  /// Ends the playback immediately; frames that have not been played are dropped.
  ///
  /// A second call has no effect. A target stops by itself when it is released.
  func stop()
}

extension PlaybackTarget {
  /// Has no effect.
  public func resume() {}
}

/// The format of a feed's samples.
public struct PlaybackFormat: Sendable, Equatable {
  /// Frames per second.
  public var sampleRate: Int
  /// Samples per frame.
  public var channelCount: Int
  /// The channel layout, if it is known.
  public var layout: ChannelLayout?

  /// Creates a format.
  public init(sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.layout = layout
  }
}

/// The requested properties of a playback.
public struct PlaybackRequest: Sendable, Equatable {
  /// The choice of the device.
  public var device: DeviceChoice
  /// The time that audio may wait in the system before it is played.
  ///
  /// A shorter time responds faster, but requires a program that is never late.
  public var latency: Duration
  /// The program's name in the system's mixers.
  public var applicationName: String

  /// Creates a request, by default for the default device with a latency of 40 ms, which suits
  /// listening.
  public init(
    device: DeviceChoice = .followingDefault, latency: Duration = .milliseconds(40),
    applicationName: String = "Aacorn"
  ) {
    self.device = device
    self.latency = latency
    self.applicationName = applicationName
  }
}
