/// What a control steers: the capture from a device, or the playback on one.
///
/// Everything is called on the controlling thread only.
protocol CoreAudioWork: AnyObject {
  /// A device, as the program is told of it.
  associatedtype Device: CoreAudioEndpoint
  /// What the program is told.
  associatedtype Notice: CoreAudioNotice

  /// Whether the device may be used; nil if the user has not been asked.
  var isPermitted: Bool? { get }

  /// How long an interruption is waited for; nil means forever.
  var longestInterruption: Duration? { get }

  /// Asks the user; the answer comes on any thread, perhaps minutes later.
  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void)

  /// Posts everything that concerns the device to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system, again after every interruption; the remarks list refused settings that
  /// are not essential.
  func activate() throws(CaptureError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// The current audio route.
  func route() throws(CaptureError) -> CoreAudioRoute<Device>

  /// Opens a unit without starting it; the notices are told before its first samples.
  ///
  /// `neededFrameCount` is the longest block so far that did not fit.
  func open(
    _ route: CoreAudioRoute<Device>, neededFrameCount: Int, announcing notices: [Notice]
  ) throws(CaptureError) -> any CoreAudioStream

  /// Tells the program something while no unit is open.
  func tell(_ notice: Notice)
}

/// A device, as far as routes are compared by it.
protocol CoreAudioEndpoint: Sendable, Equatable {
  /// Selects it; the same after a restart.
  var id: String { get }
  /// Its channel count.
  var channelCount: Int { get }
  /// Its sample rate.
  var sampleRate: Int { get }
}

extension CaptureDevice: CoreAudioEndpoint {}
extension PlaybackDevice: CoreAudioEndpoint {}

/// What is told of a device in either direction.
protocol CoreAudioNotice: Sendable, Equatable {
  /// The device is gone.
  static var deviceLost: Self { get }
  /// A device is back.
  static var deviceReturned: Self { get }
  /// Another device is in use from here on.
  static var deviceChanged: Self { get }
  /// Something else has the audio.
  static var suspended: Self { get }
  /// That is over.
  static var resumed: Self { get }
  /// It cannot continue.
  static var failed: Self { get }
}

extension CaptureNotice: CoreAudioNotice {}
extension PlaybackNotice: CoreAudioNotice {}
