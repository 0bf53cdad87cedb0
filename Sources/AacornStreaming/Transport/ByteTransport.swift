public import AacornWeb

/// Carries bytes to a server and back.
///
/// One thread uses it. Every call ends in time, and soon when the stop signal that it was made with
/// is raised; then it throws `.closed`. Only the look-up of a name may take longer to end.
public protocol ByteTransport {
  /// How many bytes of what was sent the system may hold, about, from the next connection on.
  var unsentLimit: Int { get set }

  /// How many bytes, at the end of what whole calls of `send` have sent, the other end's system had
  /// not acknowledged when the last connection was closed or broke.
  ///
  /// 0 where nobody knows. With encryption it counts what that adds as well.
  var unacknowledgedByteCount: Int { get }

  /// Connects, with certificate checks and all, within so many milliseconds.
  mutating func connect(to endpoint: Endpoint, milliseconds: Int) throws(NetworkError)

  /// Sends all the bytes; throws `.timeout` if nothing at all moves for so many milliseconds.
  mutating func send(_ bytes: [UInt8], milliseconds: Int) throws(NetworkError)

  /// Adds what has come to `bytes`, after waiting for it for at most so many milliseconds.
  ///
  /// There may be more than a call adds. False if nothing came in time. Throws `.closed` where the server has closed.
  mutating func receive(into bytes: inout [UInt8], milliseconds: Int) throws(NetworkError) -> Bool

  /// Closes; may be called at any time, more than once.
  mutating func close()
}

extension ByteTransport {
  /// What a transport that has no such limit says.
  public var unsentLimit: Int {
    get { 65_536 }
    set {}
  }

  /// What a transport says that does not know.
  public var unacknowledgedByteCount: Int { 0 }
}

/// Makes transports; a test makes them of other stuff.
public typealias TransportFactory = @Sendable (StopSignal) -> any ByteTransport
