import AacornNetwork

/// The form of the server addresses of a protocol.
///
/// Errors never repeat any part of an address: in an invalid one any part may be the password.
struct AddressForm: Sendable {
  /// The common name of the protocol.
  var name: String
  /// The allowed schemes.
  var schemes: [ServerURL.Scheme]
  /// An example of a valid address.
  var example: String

  /// Parses an address, and decodes its user and password.
  func parse(
    _ text: String
  ) throws(NetworkError) -> (
    url: ServerURL, endpoint: NetworkEndpoint, user: String?, password: String?
  ) {
    let prefix = text.lowercased()
    guard schemes.contains(where: { prefix.hasPrefix("\($0.rawValue)://") }) else {
      throw error("it does not begin with \(ServerURL.Scheme.list(schemes))")
    }
    do throws(ServerURL.Fault) {
      guard let url = ServerURL(text) else { throw .host }
      if url.target.hasPrefix("#") { throw .numberSign }
      let endpoint = try url.endpoint()
      let (user, password) = try url.credentials()
      return (url, endpoint, user, password)
    } catch {
      throw self.error(error.rawValue)
    }
  }

  /// Returns the error for an address that does not have this form.
  func error(_ reason: String) -> NetworkError {
    NetworkError(
      .unsupported,
      "The address of the \(name) server is wrong: \(reason). It should look like \(example).")
  }
}
