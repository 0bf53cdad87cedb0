/// Something that delivers sound.
///
/// A source opens its device in `start`, then calls its sink on a thread of its own (or of the
/// system) until `stop`. It never gives up by itself because a device or server went away: it says
/// so with a notice, waits, and takes up again.
public protocol CaptureSource: AnyObject, Sendable {
  /// The device in use, or the last one.
  var device: CaptureDevice? { get }

  /// Why the source cannot go on, after the notice ``CaptureNotice/failed``.
  var failure: CaptureError? { get }

  /// Whether the times of its blocks are the monotonic clock's; a simulation may have its own.
  var followsClock: Bool { get }

  /// What a curious person would want to know, such as a missing real-time priority.
  var remarks: [String] { get }

  /// Opens the device and lets the samples flow; blocks and notices go to `sink`.
  func start(_ sink: CaptureSink) throws(CaptureError)

  /// Ends the flow. What was captured before is in the sink when this returns, and nothing comes
  /// after it. A second call does nothing.
  func stop()
}

/// How a source is made and devices are listed, for each system.
public protocol CaptureSystem: Sendable {
  /// Which system it is.
  static var backend: CaptureBackend { get }

  /// Whether it can be used here and now; throws a reason if not.
  static func checkAvailability() throws(CaptureError)

  /// The devices there are, the default one first.
  static func devices() throws(CaptureError) -> [CaptureDevice]

  /// A source for a request; nothing is opened yet.
  static func makeSource(_ request: CaptureRequest) throws(CaptureError) -> any CaptureSource

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released. Systems that cannot tell return nil, and the caller looks from time to time.
  static func watchDevices(_ change: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?
}
