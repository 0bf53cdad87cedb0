import AacornCodec
public import AacornNetwork

/// The mount of an Icecast server that a stream is published to, and its description for listeners.
public struct IcecastConfiguration: Sendable, Equatable {
  /// The server.
  public var endpoint: NetworkEndpoint
  /// The path on the server.
  ///
  /// It begins with a slash.
  public var mount: String
  /// The name of the publishing user.
  ///
  /// The default name exists on every server.
  public var user = "source"
  /// The password for publishing; never displayed.
  public var password: String
  /// The name of the station, for listeners.
  public var name: String?
  /// A description of the station, for listeners.
  public var description: String?
  /// The genre, such as `jazz`.
  public var genre: String?
  /// The address of the station's web page.
  public var website: String?
  /// Whether the server may list the stream in public directories.
  public var isPublic = false
  /// The program name sent to the server.
  public var userAgent = "Aacorn/\(AacornVersion.number)"
  /// The maximum wait for a response, and for progress while sending.
  public var answerTimeout: Duration = .seconds(10)

  /// Creates a stream to a mount of a server.
  public init(endpoint: NetworkEndpoint, mount: String, password: String) {
    self.endpoint = endpoint
    self.mount = mount.hasPrefix("/") ? mount : "/" + mount
    self.password = password
  }

  /// The address for display, without user and password.
  public var address: String {
    let scheme = endpoint.isSecure ? ServerURL.Scheme.icecasts : .icecast
    return "\(scheme.rawValue)://\(SanitizedLine.of(endpoint.description))"
      + PercentCoding.encode(mount, keeping: Self.pathMarks)
  }

  /// The characters that need no encoding in a path (RFC 3986, 3.3).
  static let pathMarks = "/!$'()*+,;=:"
}

extension IcecastConfiguration: CustomDebugStringConvertible, CustomReflectable {
  /// The address.
  public var debugDescription: String { address }

  /// Only the address, so that no dump shows the password.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}

extension IcecastConfiguration {
  /// Parses `icecast://user:password@host:8000/mount`.
  ///
  /// `icecasts` encrypts the connection. `http` and `https` equal `icecast` and `icecasts`, except
  /// for the default port. It is 8000 for `icecast` and 8443 for `icecasts`, as in the example
  /// configuration of the server, 80 for `http` and 443 for `https`. The default user is `source`.
  /// The `password` argument takes precedence over the address. Special characters are
  /// percent-encoded: `%40` for `@`, `%2F` for `/`.
  ///
  /// Errors never repeat the address: in an invalid address any part may be the password.
  public init(address: String, password: String?) throws(NetworkError) {
    let form = Self.addressForm
    let parts = try form.parse(address)
    let url = parts.url
    if url.query != nil || url.path.contains("#") {
      throw form.error("a question mark in it must be written as %3F, and a number sign as %23")
    }
    if url.path.contains("@") {
      throw form.error(
        "an @ in a mount must be written as %40, and a slash in a password as %2F")
    }
    // In the credentials, the password begins at the first colon (RFC 7617, 2).
    if parts.user?.contains(":") == true {
      throw form.error("a user name cannot contain a colon")
    }
    guard let mount = PercentCoding.decode(url.path) else {
      throw form.error("a percent sign in the mount must be written as %25")
    }
    if mount.allSatisfy({ $0 == "/" }) {
      throw form.error("it has no mount, such as /live.aac, after the host")
    }
    guard let password = password ?? parts.password, !password.isEmpty else {
      throw NetworkError(
        .unauthorized, "There is no password for the Icecast server. Give its source password.")
    }
    self.init(endpoint: parts.endpoint, mount: mount, password: password)
    if let user = parts.user, !user.isEmpty { self.user = user }
  }

  private static let addressForm = AddressForm(
    name: "Icecast", schemes: [.icecast, .icecasts, .http, .https],
    example: "icecast://radio.example:8000/live.aac")
}
