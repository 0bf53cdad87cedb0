public import AacornWeb

/// Where on an RTMP server a stream goes.
public struct RTMPConfiguration: Sendable, Equatable {
  /// The server.
  public var endpoint: NetworkEndpoint
  /// The server's application that receives streams, `live` for example, with an instance after a
  /// slash if there are several; what follows a question mark is for the server only.
  public var application: String
  /// The name of the stream, which also shows the server who may publish; it is never displayed.
  ///
  /// Many servers accept credentials after it: `radio?user=anna&password=…`.
  public var streamKey: String
  /// The user, for servers that require one (`authmod=adobe`).
  public var user: String?
  /// The user's password; it is never shown.
  public var password: String?
  /// The program's name sent to the server and to listeners.
  public var encoderName = "Aacorn"
  /// How long an answer from the server may take, and sending without progress.
  public var answerTimeout: Duration = .seconds(10)

  /// Creates a stream to an application of a server.
  public init(endpoint: NetworkEndpoint, application: String, streamKey: String) {
    self.endpoint = endpoint
    self.application = application
    self.streamKey = streamKey
  }

  /// The address for display, without user, password and stream key.
  public var address: String { address(of: publicApplication) + "/…" }

  /// The address of the application in the server's form (RTMP 7.2.1.1, `tcUrl`).
  func address(of application: String) -> String {
    let scheme = endpoint.isSecure ? StreamScheme.rtmps : .rtmp
    let server = endpoint.withoutZone
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host
    let place = server.port == scheme.port ? host : server.description
    return "\(scheme.name)://\(PlainLine.of(place))/\(application)"
  }

  /// The application without the part that is for the server only.
  var publicApplication: String { PlainLine.of(String(application.prefix { $0 != "?" })) }
}

extension RTMPConfiguration: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The address.
  public var description: String { address }

  /// The address.
  public var debugDescription: String { address }

  /// Only the address, so that no dump shows key or password.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}
