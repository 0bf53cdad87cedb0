import AacornNetwork
public import AacornRecording
import AacornSystem

/// A store that holds an HLS presentation in memory, for a server in the same program.
public final class HLSMemoryStore: HLSStore {
  /// The item that a request waits for.
  enum PendingItem: Sendable {
    /// A playlist with enough segments for any player to start.
    case playlist(String)
    /// A playlist that includes a segment, or a part of the segment.
    case reach(String, segment: Int, part: Int?)
    /// An announced file.
    case file(String)
  }

  /// The result of waiting; `nothing` if the item will never exist.
  enum Found: Sendable {
    case playlist(PublishedPlaylist)
    case file([UInt8])
    case nothing
  }

  private struct Waiter {
    let item: PendingItem
    let isAbandoned: @Sendable () -> Bool
    let answer: @Sendable (Found) -> Void
  }

  private struct State {
    var files: [String: [UInt8]] = [:]
    var playlists: [String: PublishedPlaylist] = [:]
    var byteCount = 0
    var waiters: [Waiter] = []
    var listeners = HLSListeners()
    /// The approximate target duration; nil until `prepare` is called.
    var expectedTargetDuration: Duration?
  }

  private let state = Lock(State())
  /// The maximum number of bytes in stored files.
  public let capacity: Int

  /// Creates a store for at most `capacity` bytes of segments.
  ///
  /// If the output removes old segments, the store stays far below this capacity.
  public init(capacity: Int = 256 << 20) { self.capacity = capacity }

  /// The number of bytes in stored files.
  public var byteCount: Int { state.withLock { $0.byteCount } }

  /// The maximum target duration of all playlists.
  ///
  /// An estimate before any playlist is published.
  public var targetDuration: Duration {
    state.withLock { state in
      state.playlists.values.compactMap(\.contents.targetDuration).max()
        ?? state.expectedTargetDuration ?? .seconds(6)
    }
  }

  /// Returns the number of listeners that received a response within the last `time`, and the
  /// number of them that ever received a media playlist with an end (`EXT-X-ENDLIST`).
  ///
  /// Before you stop the server, wait until all listeners have finished and have made no request
  /// for a target duration. Players of one kind that share an address count as one.
  public func listeners(within time: Duration) -> (count: Int, finishedCount: Int) {
    let start = System.nanoseconds - time.nanoseconds
    return state.withLock { $0.listeners.count(since: start) }
  }

  // MARK: Output side

  /// Stores the target duration, from which the wait of a listener for the first segments is
  /// derived.
  public func prepare(for configuration: HLSConfiguration) {
    state.withLock { $0.expectedTargetDuration = configuration.expectedTargetDuration }
  }

  /// Stores a file, and answers the requests that wait for it.
  public func put(_ bytes: [UInt8], as name: String) throws(OutputError) {
    let met = try state.withLock { (state) throws(OutputError) -> [(Waiter, Found)] in
      let byteCount = state.byteCount + bytes.count - (state.files[name]?.count ?? 0)
      if byteCount > capacity {
        throw OutputError(
          .cannotWrite,
          "The HLS presentation needs more than the \(capacity >> 20) MB of memory allowed for it."
            + " Keep fewer segments, or write it to a folder.")
      }
      state.byteCount = byteCount
      state.files[name] = bytes
      return Self.removeSatisfied(&state)
    }
    for (waiter, found) in met { waiter.answer(found) }
  }

  /// Stores a playlist, and answers the requests that wait for its contents.
  public func publish(
    _ playlist: String, as name: String, contents: HLSPlaylistContents
  ) throws(OutputError) {
    let published = PublishedPlaylist(playlist, contents)
    let met = state.withLock { state in
      state.playlists[name] = published
      return Self.removeSatisfied(&state)
    }
    for (waiter, found) in met { waiter.answer(found) }
  }

  /// Removes a file or playlist.
  public func remove(_ name: String) {
    state.withLock { state in
      state.byteCount -= state.files.removeValue(forKey: name)?.count ?? 0
      state.playlists[name] = nil
    }
  }

  // MARK: Server side

  /// Returns the file `name`, or nil if there is no such file.
  func file(_ name: String) -> [UInt8]? { state.withLock { $0.files[name] } }

  /// Returns the playlist `name`, or nil if it has not been published.
  func playlist(_ name: String) -> PublishedPlaylist? { state.withLock { $0.playlists[name] } }

  /// Records the listener that made a request.
  func record(_ request: HTTPRequest, hasEnd: Bool = false) {
    let now = System.nanoseconds
    state.withLock { $0.listeners.record(request, at: now, hasEnd: hasEnd) }
  }

  /// Calls `answer` once, either immediately or on the thread of the output.
  ///
  /// `answer` receives the item, or `nothing` if the item will never exist. If `isAbandoned`
  /// becomes true first, `answer` is never called.
  func wait(
    for item: PendingItem, unless isAbandoned: @escaping @Sendable () -> Bool,
    answer: @escaping @Sendable (Found) -> Void
  ) {
    let found = state.withLock { state -> Found? in
      if let found = Self.result(for: item, in: state) { return found }
      // Abandoned requests must not accumulate while nothing is published.
      state.waiters.removeAll { $0.isAbandoned() }
      state.waiters.append(Waiter(item: item, isAbandoned: isAbandoned, answer: answer))
      return nil
    }
    if let found { answer(found) }
  }

  /// The number of waiting requests.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  private static func removeSatisfied(_ state: inout State) -> [(Waiter, Found)] {
    if state.waiters.isEmpty { return [] }
    var met: [(Waiter, Found)] = []
    var rest: [Waiter] = []
    for waiter in state.waiters where !waiter.isAbandoned() {
      if let found = result(for: waiter.item, in: state) {
        met.append((waiter, found))
      } else {
        rest.append(waiter)
      }
    }
    state.waiters = rest
    return met
  }

  private static func result(for item: PendingItem, in state: State) -> Found? {
    switch item {
    case .playlist(let name):
      guard let playlist = state.playlists[name], playlist.isPlayable else { return nil }
      return .playlist(playlist)
    case .reach(let name, let segment, let part):
      guard let playlist = state.playlists[name] else { return .nothing }
      return playlist.reaches(segment: segment, part: part) ? .playlist(playlist) : nil
    case .file(let name):
      if let bytes = state.files[name] { return .file(bytes) }
      // A hint may be wrong: a part may become shorter than announced, or never exist (RFC 8216bis
      // 4.4.5.3).
      return state.playlists.values.contains { $0.hints(at: name) } ? nil : .nothing
    }
  }
}
