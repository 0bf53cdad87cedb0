import AacornSystem

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

/// Errors of a connection to a server, for all protocols.
extension NetworkError {
  static func stopped(_ server: String) -> NetworkError {
    NetworkError(.closed, "The connection to \(server) was closed as requested.", .stopped)
  }

  static func closed(_ server: String) -> NetworkError {
    NetworkError(
      .closed,
      "\(server) closed the connection. It may have restarted or ended the stream.", .closed)
  }

  static func broken(_ server: String) -> NetworkError {
    NetworkError(
      .closed,
      "The connection to \(server) broke. Check whether the server and the network are up.",
      .broken)
  }

  static func stalled(_ server: String, _ time: Duration) -> NetworkError {
    NetworkError(
      .timeout,
      "\(server) has accepted nothing for \(seconds(time)). Check whether the server is "
        + "running and the network is fast enough for the bitrate.", .stalled)
  }

  static func noAnswer(_ server: String, _ time: Duration) -> NetworkError {
    NetworkError(
      .timeout,
      "\(server) did not answer within \(seconds(time)). Check the address and the port, "
        + "and whether a firewall is in the way.", .silent)
  }

  // MARK: Connecting

  static func noAddress(_ endpoint: NetworkEndpoint) -> NetworkError {
    NetworkError(
      .unsupported,
      "“\(endpoint.description)” is not an address. Write a host name, a colon and a port from "
        + "1 to 65535.")
  }

  static func unknownName(_ endpoint: NetworkEndpoint) -> NetworkError {
    NetworkError(
      .unreachable,
      "The host name “\(endpoint.host)” cannot be resolved. Check the spelling and the network.")
  }

  static func noEncryption(_ server: String, _ words: String) -> NetworkError {
    NetworkError(
      .closed,
      "The TLS handshake with \(server) failed\(inBrackets(words)). Check whether this port is for "
        + "encrypted connections.")
  }

  static func certificateFile(_ file: String) -> NetworkError {
    NetworkError(
      .certificate, "The certificate file “\(file)” cannot be read. Choose a file in PEM format.")
  }

  static func certificate(
    of endpoint: NetworkEndpoint, _ fault: CertificateFault
  ) -> NetworkError {
    let finding =
      switch fault {
      case .expired:
        "it has expired. Ask the server's administrator, or check the clock of this computer."
      case .notYetValid: "it is not valid yet. Check the clock of this computer."
      case .wrongName:
        "it was issued for a name other than “\(endpoint.host)”. Use the name that it was issued "
          + "for."
      case .unknownAuthority:
        "no trusted authority has signed it. If you trust the server, give its issuer's "
          + "certificate."
      case .other(let words): "it does not pass the checks\(inBrackets(words))."
      }
    return NetworkError(
      .certificate, "The certificate of \(endpoint.description) is not trusted: \(finding)")
  }

  private static func inBrackets(_ words: String) -> String {
    words.isEmpty ? "" : " (\(words))"
  }

  private static func seconds(_ time: Duration) -> String {
    let milliseconds = time.millisecondsToWait
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
