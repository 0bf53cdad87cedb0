import AacornSystem

/// The scheme of a stream address, with its properties.
package struct StreamScheme: Sendable, Equatable {
  /// The text before `://`, in lower case.
  package let name: String
  /// The kind of server.
  package let kind: OutputStatus.Kind
  /// Whether the connection is encrypted.
  package let isSecure: Bool
  /// The default port.
  package let port: Int

  /// Creates a scheme.
  package init(_ name: String, _ kind: OutputStatus.Kind, isSecure: Bool, port: Int) {
    self.name = name
    self.kind = kind
    self.isSecure = isSecure
    self.port = port
  }

  /// Returns the scheme with a lower-case name, or nil for an unsupported one.
  package init?(_ name: String) {
    guard let scheme = Self.all.first(where: { $0.name == name }) else { return nil }
    self = scheme
  }
}

extension StreamScheme {
  /// An Icecast server.
  ///
  /// The port is from the example configuration of Icecast.
  static let icecast = StreamScheme("icecast", .icecast, isSecure: false, port: 8000)
  /// An Icecast server with encryption.
  ///
  /// The port is from the example configuration of Icecast.
  static let icecasts = StreamScheme("icecasts", .icecast, isSecure: true, port: 8443)
  /// An Icecast server at the HTTP port.
  static let http = StreamScheme("http", .icecast, isSecure: false, port: 80)
  /// An Icecast server with encryption, at the HTTPS port.
  static let https = StreamScheme("https", .icecast, isSecure: true, port: 443)
  /// A server for the Real-Time Messaging Protocol.
  static let rtmp = StreamScheme("rtmp", .rtmp, isSecure: false, port: 1935)
  /// A server for the Real-Time Messaging Protocol with encryption.
  static let rtmps = StreamScheme("rtmps", .rtmp, isSecure: true, port: 443)

  /// All supported schemes.
  static let all = [icecast, icecasts, http, https, rtmp, rtmps]

  /// Returns the schemes of a kind of server.
  static func leading(to kind: OutputStatus.Kind) -> [StreamScheme] {
    all.filter { $0.kind == kind }
  }

  /// The schemes that identify the kind of server, unlike `http` and `https`.
  package static let unambiguous = all.filter { $0 != http && $0 != https }

  /// Whether the complete path may be displayed.
  ///
  /// Otherwise its last component is a stream key.
  var hasPublicPath: Bool { kind == .icecast }

  /// Returns a list such as “icecast://, icecasts:// or rtmp://”.
  package static func list(_ schemes: [StreamScheme]) -> String {
    listed(schemes.map { "\($0.name)://" }, "or")
  }
}

extension OutputStatus.Kind {
  /// Whether the output has a connection to a remote server.
  package var isServer: Bool {
    switch self {
    case .icecast, .rtmp: true
    case .hls, .save: false
    }
  }
}
