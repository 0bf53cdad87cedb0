public import AacornSignal

/// Something that plays sound.
///
/// A target opens its device in `start`, then takes samples from its feed on its own thread (or the
/// system's) until `stop`. It never gives up because a device or server went away: it puts a notice
/// into the feed, waits, and goes on with the samples that come next.
public protocol PlaybackTarget: AnyObject, Sendable {
  /// The device in use, or the last one.
  var device: PlaybackDevice? { get }

  /// Why the target cannot continue, after the notice ``PlaybackNotice/failed``.
  var failure: PlaybackError? { get }

  /// Details worth knowing, such as a missing real-time priority.
  var remarks: [String] { get }

  /// The format that the device plays without conversion, if it tells before it is opened.
  func preferredFormat() throws(PlaybackError) -> PlaybackFormat

  /// Opens the device for sound in the feed's format, and begins to play.
  ///
  /// A target that plays refuses to be started with ``PlaybackError/alreadyRunning(id:)``, and goes on;
  /// one that was stopped can be started again.
  func start(_ feed: PlaybackFeed) throws(PlaybackError)

  /// Takes the device back at once if it is away or something else has the sound, instead of
  /// waiting until that is told or looked at again.
  ///
  /// It may be called at any time and does not wait for the device. A target that looks again
  /// within a moment by itself has nothing to do.
  func resume()

  /// Ends the playback at once; what has not been heard is dropped.
  ///
  /// A second call does nothing. A target that nobody needs any more stops by itself.
  func stop()
}

extension PlaybackTarget {
  /// Does nothing.
  public func resume() {}
}

/// What the samples of a feed are.
public struct PlaybackFormat: Sendable, Equatable {
  /// Frames per second.
  public var sampleRate: Int
  /// Samples per frame.
  public var channelCount: Int
  /// What each channel is, if that is known.
  public var layout: ChannelLayout?

  /// Creates a format.
  public init(sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.layout = layout
  }
}

/// Lists the devices and creates the targets of a system.
public protocol PlaybackSystem: Sendable {
  /// The backend that this system implements.
  static var backend: CaptureBackend { get }

  /// Throws the reason if the system cannot be used now.
  static func checkAvailability() throws(PlaybackError)

  /// The available devices, the default one first.
  static func playbackDevices() throws(PlaybackError) -> [PlaybackDevice]

  /// Creates a target for a request without opening anything.
  static func makeTarget(_ request: PlaybackRequest) throws(PlaybackError) -> any PlaybackTarget
}
