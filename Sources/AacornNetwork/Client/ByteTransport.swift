/// A transport that carries bytes to a server and back.
///
/// A transport is for use by one thread. Every call ends within its time limit, and soon after the
/// stop signal is raised; then it throws `.closed`. Only a name lookup may take longer.
public protocol ByteTransport {
  /// The approximate maximum number of unsent bytes in the system's buffer, from the next
  /// connection on.
  var unsentLimit: Int { get set }

  /// The number of sent bytes that the server's system had not acknowledged when the last
  /// connection was closed or broke.
  ///
  /// Only bytes of completed `send` calls count. The number is 0 if unknown, and includes the
  /// overhead of encryption.
  var unacknowledgedByteCount: Int { get }

  /// Connects to a server within a time limit, which includes certificate checks.
  mutating func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError)

  /// Sends all bytes.
  ///
  /// Throws `.timeout` after this time without any progress.
  mutating func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError)

  /// Appends received bytes to `bytes`, and waits at most `time` for them.
  ///
  /// A call may append only some of the available bytes. Returns false if no bytes arrive in time.
  /// Throws `.closed` if the server has closed the connection.
  mutating func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool

  /// Closes the connection.
  ///
  /// May be called at any time, more than once.
  mutating func close()
}

extension ByteTransport {
  /// The default, for a transport without such a limit.
  public var unsentLimit: Int {
    get { 65_536 }
    set {}
  }

  /// The default, for a transport that cannot determine the number.
  public var unacknowledgedByteCount: Int { 0 }
}

/// A function that creates transports.
///
/// Tests use other factories.
public typealias TransportFactory = @Sendable (StopSignal) -> any ByteTransport

#if canImport(Network)
/// The transport of this system: Apple's Network framework.
public typealias SystemTransport = NetworkTransport
#else
/// The transport of this system: libcurl.
public typealias SystemTransport = CurlTransport
#endif
