import AacornCodec
public import AacornWeb

/// Where on an Icecast server a stream goes, and how it is presented there.
public struct IcecastConfiguration: Sendable, Equatable {
  /// The server.
  public var endpoint: NetworkEndpoint
  /// The path on the server, which begins with a slash.
  public var mount: String
  /// The publishing user; servers have one of this name.
  public var user = "source"
  /// The password for publishing, which is never shown.
  public var password: String
  /// The name of the station shown to listeners.
  public var name: String?
  /// What the station is about.
  public var description: String?
  /// The kind of program, such as `jazz`.
  public var genre: String?
  /// The station's page.
  public var website: String?
  /// Whether the server may list the stream in public directories.
  public var isPublic = false
  /// The program's name sent to the server.
  public var userAgent = "Aacorn/\(AacornVersion.number)"
  /// How long an answer from the server may take, and sending without progress.
  public var answerTimeout: Duration = .seconds(10)

  /// Creates a stream to a mount of a server.
  public init(endpoint: NetworkEndpoint, mount: String, password: String) {
    self.endpoint = endpoint
    self.mount = mount.hasPrefix("/") ? mount : "/" + mount
    self.password = password
  }

  /// The address for display, without user and password.
  public var address: String {
    let scheme = endpoint.isSecure ? StreamScheme.icecasts : .icecast
    return "\(scheme.name)://\(PlainLine.of(endpoint.description))"
      + PercentCoding.encode(mount, keeping: Self.pathMarks)
  }

  /// Characters that need no encoding in a path (RFC 3986, 3.3).
  static let pathMarks = "/!$'()*+,;=:"
}

extension IcecastConfiguration: CustomDebugStringConvertible, CustomReflectable {
  /// The address.
  public var debugDescription: String { address }

  /// Only the address, so that no dump shows the password.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}
