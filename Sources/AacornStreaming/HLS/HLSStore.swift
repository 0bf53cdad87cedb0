public import AacornRecording

/// Storage for an HLS presentation: a folder, memory that a server reads, or a remote server.
///
/// Names are file names without a folder. The contents under a name never change, except for
/// playlists.
public protocol HLSStore: Sendable {
  /// Whether our server serves the files, and holds back a request for a playlist until the
  /// playlist has new content (RFC 8216bis, 6.2.5.2).
  ///
  /// Only such a store gets low-latency partial segments, and playlists that list them. With any
  /// other server, the playlists would promise a feature that the server does not have.
  var servesParts: Bool { get }

  /// The maximum time that the last call of ``poll(isLast:)`` takes.
  var closeTimeout: Duration { get }

  /// Prepares the store before the first file, for example by creating the folder.
  func prepare(for configuration: HLSConfiguration) throws(OutputError)

  /// Stores an initialization section, a part or a segment.
  func put(_ bytes: [UInt8], as name: String) throws(OutputError)

  /// Stores the current playlist, which lists only files that are already stored.
  ///
  /// - Parameters:
  ///   - playlist: The text of the playlist.
  ///   - name: The file name.
  ///   - contents: A summary of the text.
  /// - Throws: The reason why the playlist cannot be stored.
  func publish(
    _ playlist: String, as name: String, contents: HLSPlaylistContents
  ) throws(OutputError)

  /// Removes a file that left the playlists long enough ago.
  func remove(_ name: String)

  /// Checks that the stored files are unchanged, and returns the changes by other programs since
  /// the last check.
  ///
  /// Each call checks some of the files, the last call all of them. Throws if no more files can be
  /// stored. The last call may wait for the store, and throws if a file was not stored.
  func poll(isLast: Bool) throws(OutputError) -> [OutputError]
}

extension HLSStore {
  /// True: our server serves the files of most stores.
  public var servesParts: Bool { true }

  /// 60 s: a sleeping or busy disk may take long.
  public var closeTimeout: Duration { .seconds(60) }

  /// Does nothing: most stores need no preparation.
  public func prepare(for configuration: HLSConfiguration) throws(OutputError) {}

  /// Returns no changes: other programs cannot remove files from most stores.
  public func poll(isLast: Bool) throws(OutputError) -> [OutputError] { [] }
}

/// A store, with its failure and the number of the first segment that it lacks.
struct MonitoredStore: Sendable {
  let store: any HLSStore
  /// The error after which the store receives no more files; nil while the store works.
  private(set) var failure: OutputError?
  /// The number of the first segment that is missing in the store.
  private(set) var limit = Int.max
  /// The text of the last published master playlist.
  private var master = ""

  init(_ store: any HLSStore) {
    self.store = store
  }

  /// Stores a file that belongs to the segment `number`, unless the store has failed.
  mutating func put(_ bytes: [UInt8], as name: String, of number: Int) {
    guard failure == nil else { return }
    do throws(OutputError) {
      try store.put(bytes, as: name)
    } catch {
      failure = error
      limit = number
    }
  }

  /// Publishes a playlist, unless the store has failed.
  ///
  /// The final playlist is published even after a failure, with the segments that the store has.
  mutating func publish(_ playlist: String, as name: String, _ contents: HLSPlaylistContents) {
    guard failure == nil || contents.edge.isComplete else { return }
    do throws(OutputError) {
      try store.publish(playlist, as: name, contents: contents)
    } catch {
      failure = failure ?? error
    }
  }

  /// Publishes the master playlist if it has changed.
  mutating func publishMaster(
    _ playlist: String, as name: String, _ contents: HLSPlaylistContents
  ) {
    guard playlist != master else { return }
    master = playlist
    publish(playlist, as: name, contents)
  }
}
