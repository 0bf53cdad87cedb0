/// Why a server could not be reached, or does not take the sound.
public struct NetworkError: Error, Equatable, Sendable {
  /// The kinds that programs may want to tell apart.
  public enum Kind: String, Sendable, CaseIterable {
    /// No address, no route, nobody listens there.
    case unreachable
    /// The server does not answer, or takes nothing, for too long.
    case timeout
    /// The connection was closed or broke.
    case closed
    /// The certificate is not to be trusted.
    case certificate
    /// Name or password is wrong.
    case unauthorized
    /// The server does not allow this.
    case forbidden
    /// Somebody else publishes there.
    case taken
    /// The server has no such place.
    case notFound = "not-found"
    /// The server says something that the protocol does not allow.
    case malformed
    /// The server cannot, or the sound does not fit the protocol.
    case unsupported
    /// The system library that makes connections is missing.
    case libraryMissing = "library-missing"
    /// The server is overloaded, or has a fault of its own.
    case serverFault = "server-fault"
  }

  /// The kind.
  public var kind: Kind
  /// What happened, at which address, and what to do.
  ///
  /// Never holds a password or a stream key.
  public var sentence: String

  /// An error of a kind, in words.
  public init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }

  /// Whether trying again cannot help, as far as can be told from a first attempt.
  ///
  /// A stream that has been live tries again all the same, except after
  /// `libraryMissing`: a refusal may then come from what stands in for a server for a while.
  ///
  /// A mount that is taken is not among these: a server takes a while to notice that the
  /// connection before is gone, and until then the place is taken by ourselves.
  public var isPermanent: Bool {
    switch kind {
    case .certificate, .unauthorized, .forbidden, .notFound, .unsupported, .libraryMissing: true
    case .unreachable, .timeout, .closed, .taken, .malformed, .serverFault: false
    }
  }
}

extension NetworkError: CustomStringConvertible {
  /// The sentence, so that a program which prints the error says something of use.
  public var description: String { sentence }
}
