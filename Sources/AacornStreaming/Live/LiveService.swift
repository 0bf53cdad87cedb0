public import AacornCodec
public import AacornNetwork
public import AacornRecording

/// A protocol for sending live audio to a server, such as Icecast or RTMP.
///
/// Only the thread of the connection calls it. After any error the connection is closed. Unless the
/// error is permanent, the connection is reopened with a copy of the service from before `open`.
public protocol LiveService: Sendable {
  /// The destination for display: an address without user, password or stream key.
  var name: String { get }

  /// The host and port to connect to.
  var endpoint: NetworkEndpoint { get }

  /// Whether the metadata is sent separately, with `update` after `open`.
  var sendsMetadataSeparately: Bool { get }

  /// Opens the stream, up to the point at which frames may follow.
  mutating func open(
    _ stream: LiveStream, over transport: inout any ByteTransport
  ) throws(NetworkError)

  /// Sends a frame.
  ///
  /// Its position counts from the first frame of the connection. Dropped frames leave a gap.
  mutating func send(
    _ frame: EncodedPacket, over transport: inout any ByteTransport
  ) throws(NetworkError)

  /// Reads the server's messages and responds to them, without waiting.
  ///
  /// The connection calls it several times a second.
  mutating func handleMessages(over transport: inout any ByteTransport) throws(NetworkError)

  /// Sends changed metadata.
  ///
  /// A protocol that needs a separate connection for it creates one. If `sendsMetadataSeparately`
  /// is true, an error does not end the stream: the update is sent again later.
  mutating func update(
    _ metadata: LiveMetadata, over transport: inout any ByteTransport,
    connections: TransportFactory, stop: StopSignal
  ) throws(NetworkError)

  /// Announces the end of the stream to the server.
  ///
  /// The connection is closed afterwards.
  mutating func close(over transport: inout any ByteTransport) throws(NetworkError)
}

extension LiveService {
  /// False: most protocols send the metadata in `open`.
  public var sendsMetadataSeparately: Bool { false }
}

/// A description of the audio for the server.
public struct LiveStream: Sendable, Equatable {
  /// The format of the frames.
  public var configuration: AudioSpecificConfig
  /// The timing of the frames.
  public var timing: StreamTiming
  /// The metadata when the connection opens.
  public var metadata: LiveMetadata

  /// Creates a stream.
  public init(
    configuration: AudioSpecificConfig, timing: StreamTiming,
    metadata: LiveMetadata = LiveMetadata()
  ) {
    self.configuration = configuration
    self.timing = timing
    self.metadata = metadata
  }
}

/// The metadata of the current program item.
public struct LiveMetadata: Sendable, Equatable {
  /// The title of the item.
  public var title: String?
  /// The performer or speaker.
  public var artist: String?

  /// Creates metadata.
  ///
  /// The default is empty.
  public init(title: String? = nil, artist: String? = nil) {
    self.title = title
    self.artist = artist
  }

  /// Artist and title in one line, as radios display it.
  public var line: String? {
    switch (artist, title) {
    case (let artist?, let title?): "\(artist) - \(title)"
    case (let text?, nil), (nil, let text?): text
    case (nil, nil): nil
    }
  }
}

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

extension ServerURL.Scheme {
  /// The kind of server that the scheme identifies; nil for `http` and `https`.
  package var kind: OutputStatus.Kind? {
    switch self {
    case .icecast, .icecasts: .icecast
    case .rtmp, .rtmps: .rtmp
    case .http, .https: nil
    }
  }
}
