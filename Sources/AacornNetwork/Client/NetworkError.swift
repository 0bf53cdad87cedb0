/// The reason why a server could not be reached, or does not accept the audio.
public struct NetworkError: Error, Equatable, Sendable {
  /// The kinds of errors, for programs to distinguish.
  public enum Kind: String, Sendable, CaseIterable {
    /// No address or route is known, or no server listens there.
    case unreachable
    /// The server does not respond, or accepts no data, for too long.
    case timeout
    /// The connection was closed or broken.
    case closed
    /// The certificate is not trusted.
    case certificate
    /// The user name or password is wrong.
    case unauthorized
    /// The server does not allow the request.
    case forbidden
    /// Another client uses the mount, stream or port.
    case taken
    /// The requested path does not exist on the server.
    case notFound = "not-found"
    /// The server violates the protocol.
    case malformed
    /// The server does not support the request, or the protocol does not support the audio.
    case unsupported
    /// The system library for connections is missing.
    case libraryMissing = "library-missing"
    /// The server is overloaded or has an internal error.
    case serverFault = "server-fault"
  }

  /// The kind of the error.
  public var kind: Kind
  /// A description of the error, with the address and a recovery suggestion.
  ///
  /// The text never contains a password or a stream key.
  public var message: String

  /// The fault of the connection; nil for other errors.
  package var fault: ConnectionFault?

  /// Creates an error.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Creates an error of a connection.
  init(_ kind: Kind, _ message: String, _ fault: ConnectionFault) {
    self.init(kind, message)
    self.fault = fault
  }

  /// Whether two errors have the same kind and message.
  public static func == (first: NetworkError, second: NetworkError) -> Bool {
    first.kind == second.kind && first.message == second.message
  }

  /// Whether retrying a failed first attempt cannot succeed.
  ///
  /// A stream that was live retries in any case, except after `libraryMissing`: a rejection may
  /// then come from a temporary placeholder for the server.
  ///
  /// A taken mount is not permanent. A server detects the end of a previous connection only after
  /// some time, and until then our own connection may hold the mount.
  public var isPermanent: Bool {
    switch kind {
    case .certificate, .unauthorized, .forbidden, .notFound, .unsupported, .libraryMissing: true
    case .unreachable, .timeout, .closed, .taken, .malformed, .serverFault: false
    }
  }
}

extension NetworkError: CustomStringConvertible {
  /// The description of the error, so that printing it shows useful text.
  public var description: String { message }
}

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
