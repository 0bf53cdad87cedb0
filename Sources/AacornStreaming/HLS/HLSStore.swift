public import AacornRecording

/// Where the parts of an HLS presentation are put: a folder, or memory from which a server serves.
///
/// Names are file names without a folder. What has been put under a name never changes; only
/// playlists are replaced.
public protocol HLSStore: Sendable {
  /// Whether a server of ours reads from it, which holds a request for a playlist until there is
  /// more in it (RFC 8216bis, 6.2.5.2).
  ///
  /// Only such a store gets the partial segments of low latency, and playlists that list them. In
  /// a folder behind any other server they would promise what that server does not do.
  var servesParts: Bool { get }

  /// Looks whether there will be a way, before anything is put: makes the folder, for example.
  func prepare(for configuration: HLSConfiguration) throws(OutputError)

  /// Takes an initialization section, a part or a segment.
  func put(_ bytes: [UInt8], as name: String) throws(OutputError)

  /// Takes the present playlist, which lists nothing that has not been put before.
  func publish(_ playlist: String, as name: String, edge: HLSEdge) throws(OutputError)

  /// Forgets what no playlist has listed for long enough.
  func remove(_ name: String)

  /// Looks whether what was put is still there, a part of it at a time or at the end all, and says
  /// what others have done to it since the last look; throws if nothing more can be put.
  func look(isLast: Bool) throws(OutputError) -> [OutputError]
}

extension HLSStore {
  /// A server of ours reads from most stores.
  public var servesParts: Bool { true }

  /// Nothing has to be prepared.
  public func prepare(for configuration: HLSConfiguration) throws(OutputError) {}

  /// Most stores have nothing that others could take away.
  public func look(isLast: Bool) throws(OutputError) -> [OutputError] { [] }
}

/// How far a media playlist reaches.
public struct HLSEdge: Sendable, Equatable {
  /// The media sequence number of the last complete segment; before the first one, its number
  /// less 1.
  public var segment: Int
  /// Parts of the segment after it that are there.
  public var partCount: Int
  /// Whether nothing will follow (`EXT-X-ENDLIST`).
  public var isComplete: Bool

  /// An edge.
  public init(segment: Int, partCount: Int = 0, isComplete: Bool = false) {
    self.segment = segment
    self.partCount = partCount
    self.isComplete = isComplete
  }
}
