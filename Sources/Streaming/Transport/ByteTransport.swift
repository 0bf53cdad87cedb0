/// Carries bytes to a server and back.
///
/// One thread uses it. Every call ends in time, and at once when the stop signal that it was made
/// with is raised; then it throws `.closed`.
public protocol ByteTransport {
  /// Connects, with certificate checks and all, within so many milliseconds.
  mutating func connect(to endpoint: Endpoint, milliseconds: Int) throws(StreamingError)

  /// Sends all the bytes; throws `.timeout` if nothing at all moves for so many milliseconds.
  mutating func send(_ bytes: [UInt8], milliseconds: Int) throws(StreamingError)

  /// Adds what has come to `bytes`, after waiting for it for at most so many milliseconds.
  ///
  /// False if nothing came in time. Throws `.closed` where the server has closed.
  mutating func receive(into bytes: inout [UInt8], milliseconds: Int) throws(StreamingError) -> Bool

  /// Closes; may be called at any time, more than once.
  mutating func close()
}

/// Makes transports; a test makes them of other stuff.
public typealias TransportFactory = @Sendable (StopSignal) -> any ByteTransport
