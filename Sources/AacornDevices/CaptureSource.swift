/// Something that delivers audio.
///
/// A source opens its device in `start`, then calls its sink on its own thread (or the system's)
/// until `stop`. It never gives up because a device or server went away: it sends a notice, waits,
/// and resumes.
public protocol CaptureSource: AnyObject, Sendable {
  /// The device in use, or the last one.
  var device: CaptureDevice? { get }

  /// Why the source cannot continue, after the notice ``CaptureNotice/failed``; or the damage of the
  /// file that it plays, which ends nothing.
  var failure: CaptureError? { get }

  /// Whether its blocks use the monotonic clock; a simulation may have its own.
  var followsClock: Bool { get }

  /// Details worth knowing, such as a missing real-time priority.
  var remarks: [String] { get }

  /// Opens the device and starts capturing; blocks and notices go to `sink`.
  ///
  /// A source that captures refuses to be started with ``CaptureError/alreadyRunning(id:)``, and goes
  /// on. Whoever gets an error does not call `stop`: nothing is left open.
  func start(_ sink: CaptureSink) throws(CaptureError)

  /// Takes the device back at once if it is away or something else has the sound, instead of
  /// waiting until that is told or looked at again.
  ///
  /// It may be called at any time and does not wait for the device. A source that looks again
  /// within a moment by itself has nothing to do.
  func resume()

  /// Ends the capture; what was captured before is in the sink when this returns, and nothing
  /// follows.
  ///
  /// A second call does nothing.
  func stop()
}

extension CaptureSource {
  /// Does nothing.
  public func resume() {}
}

/// Lists the devices and creates the sources of a system.
public protocol CaptureSystem: Sendable {
  /// The backend that this system implements.
  static var backend: CaptureBackend { get }

  /// Throws the reason if the system cannot be used now.
  static func checkAvailability() throws(CaptureError)

  /// The available devices, the default one first.
  static func devices() throws(CaptureError) -> [CaptureDevice]

  /// Creates a source for a request without opening anything.
  static func makeSource(_ request: CaptureRequest) throws(CaptureError) -> any CaptureSource

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released; nil if the system cannot report changes, so that the caller must poll.
  static func watchDevices(_ change: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?
}

extension CaptureSystem {
  /// The available devices, of which there is at least one; throws why there is none.
  package static func usableDevices() throws(CaptureError) -> [CaptureDevice] {
    try checkAvailability()
    let devices = try devices()
    if devices.isEmpty { throw .noDevice(backend: backend) }
    return devices
  }
}
