public import AacornNetwork

extension RTMPConfiguration {
  /// Parses `rtmp://host:1935/application/key`.
  ///
  /// `rtmps` encrypts. The default port is 1935, and 443 for `rtmps`. The last part of the path,
  /// with the query, is the stream key. If `streamKey` is given, the whole path with the query is
  /// the application instead. A user and a password may precede the host. Special characters in
  /// them are percent-encoded: `%40` for `@`, `%2F` for `/`.
  ///
  /// Errors never repeat the address: in an invalid address any part may be the key.
  public init(address: String, streamKey: String?) throws(NetworkError) {
    let form = Self.addressForm
    let parts = try form.parse(address)
    let (application, ownKey) = Self.split(parts.url, hasSeparateKey: streamKey != nil)
    guard let application else { throw form.error("it has no application after the host") }
    guard let key = streamKey ?? ownKey, !key.isEmpty else {
      throw NetworkError(
        .unsupported,
        "There is no stream key for the RTMP server. Give the key that the service shows you, "
          + "separately or as the last part of the address.")
    }
    self.init(endpoint: parts.endpoint, application: application, streamKey: key)
    guard let user = parts.user else { return }
    guard !user.isEmpty, let password = parts.password else {
      throw form.error("the part before the @ is not of the form USER:PASSWORD")
    }
    (self.user, self.password) = (user, password)
  }

  private static let addressForm = AddressForm(
    name: "RTMP", schemes: [.rtmp, .rtmps],
    example: "rtmp://live.example/application/KEY")

  /// Returns the application, and the key if it is in the path.
  ///
  /// A missing part is nil.
  private static func split(
    _ address: ServerURL, hasSeparateKey: Bool
  ) -> (application: String?, key: String?) {
    let query = address.query.map { "?\($0)" } ?? ""
    var parts = address.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if hasSeparateKey {
      // Streaming services display the address with a slash at the end, after which the key must
      // follow.
      while parts.last?.isEmpty == true { parts.removeLast() }
      let application = parts.joined(separator: "/")
      return (application.isEmpty ? nil : application + query, nil)
    }
    let name = parts.count > 1 ? parts.removeLast() : ""
    let application = parts.joined(separator: "/")
    return (application.isEmpty ? nil : application, name.isEmpty ? nil : name + query)
  }
}
