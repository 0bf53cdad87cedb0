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
