/// A client's connection for the dispatcher and its exchanges, independent of the HTTP
/// implementation.
protocol HTTPConnection: Sendable {
  /// Suspends the connection until it is resumed.
  ///
  /// Called on the server's thread only.
  func suspend()
  /// Makes the server's thread continue with the connection.
  ///
  /// Valid until the request has ended.
  func resume()
  /// Whether the client of a suspended connection is still present.
  var presence: ConnectionProbe { get }
  /// Makes the system detect a client that disappears silently.
  func probeSilence()
}

/// The presence of a client, determined without communicating with it.
enum ConnectionProbe {
  case present
  /// The client has ended its input.
  ///
  /// It may be waiting for its response or be disconnected, which cannot be distinguished.
  case finished
  case gone
}

/// An HTTP implementation that accepts connections and asks a dispatcher what to do.
///
/// It calls the dispatcher on one thread at a time, the server's thread.
protocol HTTPBackEnd: Sendable {
  /// The port of the listener; 0 for a Unix domain socket.
  var port: Int { get }
  /// Ends all connections and the listener.
  ///
  /// Nothing calls the dispatcher after this returns.
  func stop()
  /// Discards the input of clients that received an early response, on the watch thread.
  ///
  /// Returns whether it must be called again soon.
  func drain(at now: Int64) -> Bool
}
