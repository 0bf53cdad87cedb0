package import AacornWeb

/// A server that a stream is to be sent to.
package enum LiveServer: Sendable, Equatable {
  case icecast(IcecastConfiguration)
  case rtmp(RTMPConfiguration)

  /// The server at an address in which everything stands that it needs; nil if the scheme does not
  /// tell what kind of server it is.
  package init?(_ address: StreamAddress) throws(NetworkError) {
    guard let scheme = address.meaning, StreamScheme.telling.contains(scheme) else { return nil }
    switch scheme.kind {
    case .icecast: self = .icecast(try IcecastConfiguration(address: address.text, password: nil))
    case .rtmp: self = .rtmp(try RTMPConfiguration(address: address.text, streamKey: nil))
    case .hls, .save: return nil
    }
  }

  /// The kind of output that this makes.
  package var kind: OutputStatus.Kind {
    switch self {
    case .icecast: .icecast
    case .rtmp: .rtmp
    }
  }

  /// What talks to it.
  package var service: any LiveService {
    switch self {
    case .icecast(let configuration): IcecastService(configuration)
    case .rtmp(let configuration): RTMPService(configuration)
    }
  }

  /// Everything in its configuration that must not be shown.
  package var secrets: [Secret] {
    switch self {
    case .icecast(let configuration): return [Secret(configuration.password)]
    case .rtmp(let configuration):
      // Services add text after the key, which they may omit when they repeat it.
      let key = configuration.streamKey
      return [Secret(key), Secret(String(key.prefix { $0 != "?" }))]
        + (configuration.password.map { [Secret($0)] } ?? [])
    }
  }
}
