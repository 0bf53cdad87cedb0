public import AacornRecording

/// Where an HLS presentation is stored: a folder, memory that a server reads from, or a server
/// elsewhere.
///
/// Names are file names without a folder. The contents under a name never change, except for
/// playlists.
public protocol HLSStore: Sendable {
  /// Whether our server reads from it, which blocks a request for a playlist until there is more in
  /// it (RFC 8216bis, 6.2.5.2).
  ///
  /// Only such a store gets low-latency partial segments, and playlists that list them. In a folder
  /// behind any other server they would promise what that server does not do.
  var servesParts: Bool { get }

  /// Prepares before anything is stored, for example by creating the folder.
  func prepare(for configuration: HLSConfiguration) throws(OutputError)

  /// Stores an initialization section, a part or a segment.
  func put(_ bytes: [UInt8], as name: String) throws(OutputError)

  /// Stores the current playlist, which lists only what has been stored before.
  ///
  /// - Parameters:
  ///   - playlist: Its text.
  ///   - name: Its name.
  ///   - contents: What is in the text.
  /// - Throws: Why it cannot be stored.
  func publish(
    _ playlist: String, as name: String, contents: HLSPlaylistContents
  ) throws(OutputError)

  /// Removes what no playlist has listed for long enough.
  func remove(_ name: String)

  /// Checks whether what was stored is still there, some of it at a time or at the end everything,
  /// and returns what others have done to it since the last check; throws if nothing more can be
  /// stored, or at the end, for which a store may have to wait, if not everything was.
  func look(isLast: Bool) throws(OutputError) -> [OutputError]
}

extension HLSStore {
  /// Our server reads from most stores.
  public var servesParts: Bool { true }

  /// Most stores need no preparation.
  public func prepare(for configuration: HLSConfiguration) throws(OutputError) {}

  /// Most stores hold nothing that others could remove.
  public func look(isLast: Bool) throws(OutputError) -> [OutputError] { [] }
}
