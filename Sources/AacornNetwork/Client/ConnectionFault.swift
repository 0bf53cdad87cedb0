/// The fault of a connection, for modules with their own messages.
package enum ConnectionFault: Equatable, Sendable {
  /// The library for connections is unusable, for the reason that the dynamic loader gives.
  case libraryMissing(String)
  /// The connection was not established, for a short reason such as `it does not answer`.
  case connecting(String)
  /// The server has accepted no data within the time limit.
  case stalled
  /// The server has closed the connection.
  case closed
  /// The connection ended for another reason.
  case broken
  /// The stop signal was raised.
  case stopped

  static let silent = ConnectionFault.connecting("it does not answer")
}
