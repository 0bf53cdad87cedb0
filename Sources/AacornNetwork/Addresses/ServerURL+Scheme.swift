import AacornSystem

extension ServerURL {
  /// A supported scheme of a server's address; the raw value is the text before `://`.
  package enum Scheme: String, CaseIterable, Sendable {
    case icecast, icecasts, http, https, rtmp, rtmps

    /// Whether the connection is encrypted.
    package var isSecure: Bool { [.icecasts, .https, .rtmps].contains(self) }

    /// The default port.
    ///
    /// The ports for Icecast are from its example configuration.
    package var port: Int {
      switch self {
      case .icecast: 8000
      case .icecasts: 8443
      case .http: 80
      case .https, .rtmps: 443
      case .rtmp: 1935
      }
    }

    /// Whether the complete path may be displayed.
    ///
    /// Otherwise its last component is a stream key.
    var hasPublicPath: Bool { self != .rtmp && self != .rtmps }

    /// Returns a list such as “icecast://, icecasts:// or rtmp://”.
    package static func list(_ schemes: [Scheme]) -> String {
      listed(schemes.map { "\($0.rawValue)://" }, "or")
    }
  }
}
