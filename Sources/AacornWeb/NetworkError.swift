/// Why a server could not be reached, or does not accept the audio.
public struct NetworkError: Error, Equatable, Sendable {
  /// The kinds that programs may want to distinguish.
  public enum Kind: String, Sendable, CaseIterable {
    /// There is no address or route, or nothing listens there.
    case unreachable
    /// The server does not answer, or accepts nothing, for too long.
    case timeout
    /// The connection was closed or broken.
    case closed
    /// The certificate is not trusted.
    case certificate
    /// The name or password is wrong.
    case unauthorized
    /// The server does not allow this.
    case forbidden
    /// Somebody else publishes there.
    case taken
    /// The server has no such place.
    case notFound = "not-found"
    /// The server says something that violates the protocol.
    case malformed
    /// The server does not support this, or the audio does not fit the protocol.
    case unsupported
    /// The system library that makes connections is missing.
    case libraryMissing = "library-missing"
    /// The server is overloaded or has an internal error.
    case serverFault = "server-fault"
  }

  /// The kind.
  public var kind: Kind
  /// What happened, at which address, and what to do.
  ///
  /// It never contains a password or a stream key.
  public var sentence: String

  /// Creates an error.
  public init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }

  /// Whether retrying cannot help, as far as a first attempt can tell.
  ///
  /// A stream that has been live retries all the same, except after `libraryMissing`: a refusal may
  /// then come from a temporary replacement for the server.
  ///
  /// A taken mount is not among these: a server takes a while to notice that the previous
  /// connection is gone, and until then our own connection holds the mount.
  public var isPermanent: Bool {
    switch kind {
    case .certificate, .unauthorized, .forbidden, .notFound, .unsupported, .libraryMissing: true
    case .unreachable, .timeout, .closed, .taken, .malformed, .serverFault: false
    }
  }
}

extension NetworkError: CustomStringConvertible {
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}
