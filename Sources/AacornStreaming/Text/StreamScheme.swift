import AacornSystem

/// What an address that sound is sent to begins with, and what that means.
package struct StreamScheme: Sendable, Equatable {
  /// What precedes `://`, in small letters.
  package let name: String
  /// The kind of server that takes the connection.
  package let kind: OutputStatus.Kind
  /// Whether the connection is encrypted.
  package let isSecure: Bool
  /// The port of an address that names none.
  package let port: Int

  /// A scheme.
  package init(_ name: String, _ kind: OutputStatus.Kind, isSecure: Bool, port: Int) {
    self.name = name
    self.kind = kind
    self.isSecure = isSecure
    self.port = port
  }

  /// The scheme that is called so in small letters; nil for one that nothing here speaks.
  package init?(_ name: String) {
    guard let scheme = Self.all.first(where: { $0.name == name }) else { return nil }
    self = scheme
  }
}

extension StreamScheme {
  /// An Icecast server, at the port of the example configuration that it comes with.
  static let icecast = StreamScheme("icecast", .icecast, isSecure: false, port: 8000)
  /// An Icecast server, encrypted, at the port of its example configuration.
  static let icecasts = StreamScheme("icecasts", .icecast, isSecure: true, port: 8443)
  /// An Icecast server at the web's port: it speaks the web's protocol.
  static let http = StreamScheme("http", .icecast, isSecure: false, port: 80)
  /// An Icecast server at the encrypted web's port.
  static let https = StreamScheme("https", .icecast, isSecure: true, port: 443)
  /// A server that speaks the Real-Time Messaging Protocol.
  static let rtmp = StreamScheme("rtmp", .rtmp, isSecure: false, port: 1935)
  /// A server that speaks it, encrypted.
  static let rtmps = StreamScheme("rtmps", .rtmp, isSecure: true, port: 443)

  /// All that something here speaks.
  static let all = [icecast, icecasts, http, https, rtmp, rtmps]

  /// Those that lead to a kind of server.
  static func leading(to kind: OutputStatus.Kind) -> [StreamScheme] {
    all.filter { $0.kind == kind }
  }

  /// Those that tell by themselves what kind of server it is, as those of the web do not.
  package static let telling = all.filter { $0 != http && $0 != https }

  /// Whether all of the path may be shown: where it may not, its last part is a stream key.
  var hasPublicPath: Bool { kind == .icecast }

  /// “icecast://, icecasts:// or rtmp://”.
  package static func list(_ schemes: [StreamScheme]) -> String {
    listed(schemes.map { "\($0.name)://" }, "or")
  }
}

extension OutputStatus.Kind {
  /// Whether a server elsewhere takes the sound, to which there is a connection.
  package var isServer: Bool {
    switch self {
    case .icecast, .rtmp: true
    case .hls, .save: false
    }
  }
}
