public import AacornWeb

/// Carries bytes to a server and back.
///
/// For use by one thread. Every call ends in time, and soon if its stop signal is raised; then it
/// throws `.closed`. Only a name lookup may take longer to end.
public protocol ByteTransport {
  /// About how many sent bytes the system may hold, from the next connection on.
  var unsentLimit: Int { get set }

  /// How many of the last bytes sent by completed `send` calls the other end's system had not
  /// acknowledged when the last connection was closed or broke.
  ///
  /// It is 0 if unknown, and includes what encryption adds.
  var unacknowledgedByteCount: Int { get }

  /// Connects, including certificate checks, within this time.
  mutating func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError)

  /// Sends all the bytes; throws `.timeout` after this time without any progress.
  mutating func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError)

  /// Appends received bytes to `bytes`, after waiting for at most this time.
  ///
  /// A call may not append everything. False if nothing came in time. Throws `.closed` if the
  /// server has closed.
  mutating func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool

  /// Closes; may be called at any time, more than once.
  mutating func close()
}

extension ByteTransport {
  /// The value for a transport without such a limit.
  public var unsentLimit: Int {
    get { 65_536 }
    set {}
  }

  /// The value for a transport that does not know.
  public var unacknowledgedByteCount: Int { 0 }
}

/// Creates transports; tests provide their own.
public typealias TransportFactory = @Sendable (StopSignal) -> any ByteTransport
