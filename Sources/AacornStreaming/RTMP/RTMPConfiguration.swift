public import AacornNetwork

/// The application and stream key of an RTMP server that a stream is published to.
public struct RTMPConfiguration: Sendable, Equatable {
  /// The server.
  public var endpoint: NetworkEndpoint
  /// The application of the server to publish to, for example `live`.
  ///
  /// To select one of several instances of an application, append a slash and the name of the
  /// instance. A query (`?…`) is sent to the server, but never displayed.
  public var application: String
  /// The name of the stream, which also authorizes the publisher; never displayed.
  ///
  /// Many servers accept credentials after the name: `radio?user=anna&password=…`.
  public var streamKey: String
  /// The user name, for servers that require one (`authmod=adobe`).
  public var user: String?
  /// The password of the user; never displayed.
  public var password: String?
  /// The program name sent to the server and to listeners.
  public var encoderName = "Aacorn"
  /// The maximum wait for a response, and for progress while sending.
  public var answerTimeout: Duration = .seconds(10)

  /// Creates a stream to an application of a server.
  public init(endpoint: NetworkEndpoint, application: String, streamKey: String) {
    self.endpoint = endpoint
    self.application = application
    self.streamKey = streamKey
  }

  /// The address for display, without user, password and stream key.
  public var address: String { address(of: publicApplication) + "/…" }

  /// Returns the address of the application in the form for the server (RTMP 7.2.1.1, `tcUrl`).
  func address(of application: String) -> String {
    let scheme = endpoint.isSecure ? ServerURL.Scheme.rtmps : .rtmp
    let server = endpoint.withoutZone
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host
    let hostAndPort = server.port == scheme.port ? host : server.description
    return "\(scheme.rawValue)://\(SanitizedLine.of(hostAndPort))/\(application)"
  }

  /// The application without its query, for display.
  var publicApplication: String { SanitizedLine.of(String(application.prefix { $0 != "?" })) }
}

extension RTMPConfiguration: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The address.
  public var description: String { address }

  /// The address.
  public var debugDescription: String { address }

  /// Only the address, so that no dump shows the key or the password.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}

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
