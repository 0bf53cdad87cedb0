public import AacornWeb

/// Where on an RTMP server a stream goes.
public struct RTMPConfiguration: Sendable, Equatable {
  /// The server.
  public var endpoint: Endpoint
  /// The application of the server that takes streams, `live` for example, with an instance behind
  /// a slash where there are several; what follows a question mark is for the server only.
  public var application: String
  /// The name of the stream, by which a server also knows who may publish; it is never shown.
  ///
  /// Many servers take credentials behind it: `radio?user=anna&password=…`.
  public var streamKey: String
  /// The user, for servers that ask for one (`authmod=adobe`).
  public var user: String?
  /// The user's password; it is never shown.
  public var password: String?
  /// How the program introduces itself to the server and to listeners.
  public var encoderName = "Aacorn"
  /// How long an answer of the server may take, and sending when nothing moves, in milliseconds.
  public var answerMilliseconds = 10_000

  /// A stream to an application of a server.
  public init(endpoint: Endpoint, application: String, streamKey: String) {
    self.endpoint = endpoint
    self.application = application
    self.streamKey = streamKey
  }

  /// The address for people: without user, password and stream key.
  public var address: String { address(of: publicApplication) + "/…" }

  /// The address of the application, as the server wants to be told it (RTMP 7.2.1.1, `tcUrl`).
  func address(of application: String) -> String {
    let standardPort = endpoint.isSecure ? Self.securePort : Self.plainPort
    let server = endpoint.withoutZone
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host
    let place = server.port == standardPort ? host : server.description
    return "\(endpoint.isSecure ? "rtmps" : "rtmp")://\(PlainLine.of(place))/\(application)"
  }

  /// The application without what is for the server only.
  var publicApplication: String { PlainLine.of(String(application.prefix { $0 != "?" })) }

  static let plainPort = 1935
  static let securePort = 443
}

extension RTMPConfiguration: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The address.
  public var description: String { address }

  /// The address.
  public var debugDescription: String { address }

  /// Nothing more than the address, so that no dump shows key or password.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}
