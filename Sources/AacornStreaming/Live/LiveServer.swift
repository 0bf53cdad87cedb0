package import AacornNetwork

/// The server that receives a stream, with its protocol.
package enum LiveServer: Sendable, Equatable {
  case icecast(IcecastConfiguration)
  case rtmp(RTMPConfiguration)

  /// Creates the server for a complete address.
  ///
  /// Returns nil if the scheme does not identify the kind of server.
  package init?(_ address: ServerURL) throws(NetworkError) {
    switch address.scheme?.kind {
    case .icecast: self = .icecast(try IcecastConfiguration(address: address.text, password: nil))
    case .rtmp: self = .rtmp(try RTMPConfiguration(address: address.text, streamKey: nil))
    case .hls, .save, nil: return nil
    }
  }

  package var kind: OutputStatus.Kind {
    switch self {
    case .icecast: .icecast
    case .rtmp: .rtmp
    }
  }

  /// The implementation of the server's protocol.
  package var service: any LiveService {
    switch self {
    case .icecast(let configuration): IcecastService(configuration)
    case .rtmp(let configuration): RTMPService(configuration)
    }
  }

  /// The values in the configuration that must not be displayed.
  package var secrets: [Secret] {
    switch self {
    case .icecast(let configuration): return [Secret(configuration.password)]
    case .rtmp(let configuration):
      // Streaming services append text to the key, and may omit that text in a message that repeats
      // the key.
      let key = configuration.streamKey
      return [Secret(key), Secret(String(key.prefix { $0 != "?" }))]
        + (configuration.password.map { [Secret($0)] } ?? [])
    }
  }
}
