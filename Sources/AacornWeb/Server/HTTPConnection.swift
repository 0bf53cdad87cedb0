/// A client's connection as the desk and its exchanges see it, whoever speaks HTTP over it.
protocol HTTPConnection: Sendable {
  /// Lets it rest until it is resumed; on the server's thread only.
  func suspend()
  /// Makes the server's thread look at it again; valid until its request is over.
  func resume()
  /// What can be told of the client of a suspended connection.
  var presence: HTTPPresence { get }
  /// Makes the system notice a client that vanishes silently.
  func probeSilence()
}

/// What can be told of a client without asking it.
enum HTTPPresence {
  case present
  /// It sends nothing more; it may be waiting for its answer or be gone, which looks the same.
  case finished
  case gone
}

/// What accepts connections, speaks HTTP over them, and asks a desk what to do.
///
/// It calls the desk on one thread at a time, the server's thread.
protocol HTTPBackEnd: Sendable {
  /// The port on which it listens; 0 for a socket file.
  var port: Int { get }
  /// Ends all connections and then itself; nothing calls the desk when this returns.
  func stop()
  /// Looks after clients that were answered before they had sent everything, on the desk's thread;
  /// whether that is to be done again soon.
  func drain(at now: Int64) -> Bool
}
