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
