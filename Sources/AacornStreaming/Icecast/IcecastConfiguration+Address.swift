public import AacornNetwork

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
    example: "icecast://source:PASSWORD@radio.example:8000/live.aac")
}
