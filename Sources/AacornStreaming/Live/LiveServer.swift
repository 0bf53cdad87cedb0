/// A server that a stream is to be sent to.
package enum LiveServer: Sendable {
  case icecast(IcecastConfiguration)
  case rtmp(RTMPConfiguration)

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
