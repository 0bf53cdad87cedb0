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
