public import AacornWeb

extension RTMPConfiguration {
  /// Parses `rtmp://host:1935/application/key`.
  ///
  /// `rtmps` encrypts. The default port is 1935, and 443 for `rtmps`. The last part of the path is
  /// the stream key, with the query that follows it, unless the key is given separately: then the
  /// whole path is the application, and the query belongs to that. A user and a password may
  /// precede the host; characters with a special meaning are percent-encoded in them: `%40` for
  /// `@`, `%2F` for `/`.
  ///
  /// Errors never repeat the address: in a wrong address any part may be the key.
  public init(address: String, streamKey: String?) throws(NetworkError) {
    let form = Self.addressForm
    let parts = try ServerAddress(address, as: form)
    let (application, ownKey) = Self.split(parts, hasKeyApart: streamKey != nil)
    guard let application else { throw form.wrong("it has no application after the host") }
    guard let key = streamKey ?? ownKey, !key.isEmpty else {
      throw NetworkError(
        .unsupported,
        "There is no stream key for the RTMP server. Give the one that the service shows you, "
          + "separately or as the last part of the address.")
    }
    self.init(endpoint: parts.endpoint, application: application, streamKey: key)
    guard let user = parts.user else { return }
    guard !user.isEmpty, let password = parts.password else {
      throw form.wrong("before the @ it has no user, or no password after a colon")
    }
    (self.user, self.password) = (user, password)
  }

  private static let addressForm = ServerAddress.Form(
    name: "RTMP", schemes: StreamScheme.leading(to: .rtmp),
    example: "rtmp://live.example/application/KEY")

  /// The application, and the key if it is in the path; nil for what is missing.
  private static func split(
    _ address: ServerAddress, hasKeyApart: Bool
  ) -> (application: String?, key: String?) {
    let query = address.query.map { "?\($0)" } ?? ""
    var parts = address.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if hasKeyApart {
      // Services print a slash at the end where the key must follow.
      while parts.last?.isEmpty == true { parts.removeLast() }
      let application = parts.joined(separator: "/")
      return (application.isEmpty ? nil : application + query, nil)
    }
    let name = parts.count > 1 ? parts.removeLast() : ""
    let application = parts.joined(separator: "/")
    return (application.isEmpty ? nil : application, name.isEmpty ? nil : name + query)
  }
}
