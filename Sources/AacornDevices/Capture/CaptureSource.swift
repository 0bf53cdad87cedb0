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
