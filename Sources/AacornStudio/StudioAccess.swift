public import AacornNetwork

/// The clients that a studio admits.
public enum StudioAccess: Sendable, Equatable {
  /// Browsers and programs that present this token, and browsers with a one-time code.
  case token(String)
  /// Every client that can reach the studio. If the studio listens only on this machine, these are
  /// all users of the machine and their programs.
  case unrestricted

  /// A new token of 128 random bits.
  public static var newToken: StudioAccess { .token(RandomIdentifier.make(byteCount: 16)) }

  /// The token; nil if every client is admitted.
  public var token: String? {
    switch self {
    case .token(let token): token
    case .unrestricted: nil
    }
  }

  /// The minimum number of characters in a token.
  public static let minTokenLength = 16

  /// Throws if a token is short enough to be guessed, or cannot be sent by browsers.
  public func check() throws(NetworkError) {
    guard let token else { return }
    let hint = "“openssl rand -hex 16” generates a good token."
    if token.isEmpty {
      throw NetworkError(
        .unsupported, "The token of the studio is empty, so anyone could guess it. \(hint)")
    }
    if token.count < Self.minTokenLength {
      throw NetworkError(
        .unsupported,
        "The token of the studio has fewer than \(Self.minTokenLength) characters, and could be"
          + " guessed. \(hint)")
    }
    // The token is sent in headers, which cannot contain control characters.
    if token.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw NetworkError(
        .unsupported,
        "The token of the studio has several lines, or contains control characters. \(hint)")
    }
  }
}
