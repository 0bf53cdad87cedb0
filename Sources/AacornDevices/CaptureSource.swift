/// A source of captured audio.
///
/// A source opens its device in `start`, then calls its sink on its own thread (or the system's)
/// until `stop`. A disconnected device or server does not end it: the source sends an event, waits,
/// and resumes.
public protocol CaptureSource: AnyObject, Sendable {
  /// The device in use, or the last one.
  var device: Device? { get }

  /// The error that ended the source, after the event ``CaptureEvent/failed``.
  ///
  /// If the source plays a file, it may also be an error about damage in the file, which does not
  /// end the source.
  var failure: CaptureError? { get }

  /// Whether the source's blocks use the monotonic clock; a simulation may have its own.
  var followsClock: Bool { get }

  /// Diagnostics, such as a missing real-time priority.
  var diagnostics: [String] { get }

  /// Opens the device and starts capturing; blocks and events go to `sink`.
  ///
  /// A running source throws ``CaptureError/alreadyRunning(id:)`` and continues. After any other
  /// error the device is closed, and the caller does not call `stop`.
  func start(_ sink: CaptureSink) throws(CaptureError)

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

/// A system that lists the devices and creates the sources.
public protocol DeviceSystem: Sendable {
  /// The backend that this system implements.
  static var backend: CaptureBackend { get }

  /// Throws the reason if the system cannot be used now.
  static func checkAvailability() throws(CaptureError)

  /// Returns the available devices, the default device first.
  static func devices() throws(CaptureError) -> [Device]

  /// Creates a source for a request without opening a device.
  static func makeSource(_ request: CaptureRequest) throws(CaptureError) -> any CaptureSource

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released.
  ///
  /// Returns nil if the system cannot report changes, so that the caller must poll.
  static func watchDevices(_ change: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?
}

extension DeviceSystem {
  /// Returns the available devices, at least one; throws the reason if there are none.
  package static func usableDevices() throws(CaptureError) -> [Device] {
    try checkAvailability()
    let devices = try devices()
    if devices.isEmpty { throw .noDevice(backend: backend) }
    return devices
  }
}
