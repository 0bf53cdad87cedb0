public import AacornCodec
public import AacornWeb

/// A protocol for sending live audio to a server: Icecast, RTMP.
///
/// Only the connection's own thread calls it. After any error the connection is closed and, unless
/// the error is permanent, reopened with the service as it was before `open`.
public protocol LiveService: Sendable {
  /// Its destination for display: an address without user, password or stream key.
  var name: String { get }

  /// Where to connect to.
  var endpoint: NetworkEndpoint { get }

  /// Whether `open` cannot send the metadata, so that `update` must follow.
  var tellsMetadataApart: Bool { get }

  /// Talks to the server up to the point where frames may follow.
  mutating func open(
    _ stream: LiveStream, over transport: inout any ByteTransport
  ) throws(NetworkError)

  /// Sends a frame.
  mutating func send(
    _ frame: LiveFrame, over transport: inout any ByteTransport
  ) throws(NetworkError)

  /// Reads and answers what the server has sent, without waiting; called several times a second.
  mutating func attend(to transport: inout any ByteTransport) throws(NetworkError)

  /// Sends what is being played.
  ///
  /// A protocol that needs another connection for it makes one. If `tellsMetadataApart` is true, an
  /// error does not end the stream: the update is retried later.
  mutating func update(
    _ metadata: LiveMetadata, over transport: inout any ByteTransport,
    connections: TransportFactory, stop: StopSignal
  ) throws(NetworkError)

  /// Says goodbye to the server; the connection is closed afterwards.
  mutating func close(over transport: inout any ByteTransport) throws(NetworkError)
}

extension LiveService {
  /// Most protocols send it while they open.
  public var tellsMetadataApart: Bool { false }
}

/// What a server may want to know about the audio.
public struct LiveStream: Sendable, Equatable {
  /// The format of the frames.
  public var configuration: AudioSpecificConfig
  /// Their timing.
  public var timing: StreamTiming
  /// What is played when the connection opens.
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

/// A frame on its way to a server.
public struct LiveFrame: Sendable, Equatable {
  /// The access unit.
  public var bytes: [UInt8]
  /// Samples since the first frame of this connection, which is 0; dropped frames leave a gap.
  public var position: Int
  /// Samples that it decodes to.
  public var sampleCount: Int
  /// Whether a decoder can begin with it; in HE-AAC, few frames are such.
  public var isEntry: Bool

  /// Creates a frame.
  public init(bytes: [UInt8], position: Int, sampleCount: Int, isEntry: Bool = true) {
    self.bytes = bytes
    self.position = position
    self.sampleCount = sampleCount
    self.isEntry = isEntry
  }

  /// The access unit, for a container.
  ///
  /// Once a frame was dropped, the decoder's buffer holds more than the encoder believes, so the
  /// unit does not say how much.
  var accessUnit: AccessUnit {
    AccessUnit(bytes: bytes, sampleCount: sampleCount, samplePosition: position)
  }
}

/// What is being played.
public struct LiveMetadata: Sendable, Equatable {
  /// The title of the piece.
  public var title: String?
  /// The performer or speaker.
  public var artist: String?

  /// Creates metadata; by default, nothing is known.
  public init(title: String? = nil, artist: String? = nil) {
    self.title = title
    self.artist = artist
  }

  /// Both in one line, as radios show it.
  public var line: String? {
    switch (artist, title) {
    case (let artist?, let title?): "\(artist) - \(title)"
    case (let text?, nil), (nil, let text?): text
    case (nil, nil): nil
    }
  }
}
