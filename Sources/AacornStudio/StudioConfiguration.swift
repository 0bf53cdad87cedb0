public import AacornNetwork

/// The address of a studio, its clients and its folder.
public struct StudioConfiguration: Sendable {
  /// The folder with the recordings.
  ///
  /// A missing folder is created for its owner only.
  public var folder: String
  /// The port or socket on which the studio listens.
  public var endpoint: StudioEndpoint
  /// The clients that the studio admits.
  ///
  /// By default, clients need a token that is new at each start.
  public var access: StudioAccess
  /// The addresses at which a proxy makes the studio reachable, such as `https://studio.example`.
  ///
  /// Requests for host names other than these and the studio's own are rejected.
  public var proxyURLs: [String]

  /// Creates a configuration; by default, the studio is reachable from this machine only.
  public init(
    folder: String, endpoint: StudioEndpoint = .port(0), access: StudioAccess = .newToken,
    proxyURLs: [String] = []
  ) {
    self.folder = folder
    self.endpoint = endpoint
    self.access = access
    self.proxyURLs = proxyURLs
  }
}

/// The port or socket on which a studio listens.
public enum StudioEndpoint: Sendable, Equatable {
  /// A port, 0 for any free one, at a numeric address of this machine.
  ///
  /// Other machines cannot reach `127.0.0.1` and `::1`.
  case port(Int, address: String = "127.0.0.1")
  /// A Unix socket at this path, accessible only to the user who runs the studio, for a proxy.
  case socket(String)

  /// Whether other machines can reach the studio.
  package var isOpenToOthers: Bool {
    switch self {
    case .port(_, let address): !HostAddress.isLoopback(address)
    case .socket: false
    }
  }
}

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
