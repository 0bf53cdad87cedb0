import AacornRecording

/// The queue of an upload, and the record of the files on the server.
///
///     put ──►  files  ─────────────┐
///     publish ►  newest playlists  ├─► next step ─► server: confirm, or retry
///     remove ►  removals ──────────┘
///
/// Playlists are sent first, ending where the server's files end. A segment is thus listed as soon
/// as the server has it, even if the next ones wait. Only the newest text of a playlist is sent.
struct HLSUploadQueue: Sendable {
  /// A request to the server.
  enum Step: Sendable, Equatable {
    /// A segment or an initialization section.
    case file(String, [UInt8])
    /// A playlist.
    case playlist(String, text: String, caching: String)
    /// The removal of a file.
    case removal(String)

    /// The kind of a request.
    ///
    /// A server may accept one kind and reject another.
    enum Kind: Sendable {
      case section, segment, playlist, removal
    }

    var kind: Kind {
      switch self {
      case .file(let name, _): HLSNames.isInitialization(name) ? .section : .segment
      case .playlist: .playlist
      case .removal: .removal
      }
    }
  }

  private struct File {
    enum State {
      /// The file waits for its upload.
      case waiting
      case uploading
      /// The server has the file.
      case onServer
      /// The server has the file, and should remove it.
      case removing
      /// The file will never be uploaded, but may be listed.
      case lost
    }

    let name: String
    var state: State
    /// The contents until the end of the upload.
    var bytes: [UInt8] = []
    /// The place in the order of the uploads, or of the removals.
    var order = 0
    /// The name of the playlist that lists the waiting file; nil before it is listed.
    var playlist: String?
    /// Whether the file left the playlist during its upload.
    var wasRemoved = false
    /// The time of the removal; nil until the file leaves its playlist.
    var expiry: Expiry?

    var isSegment: Bool { !HLSNames.isInitialization(name) }
    /// Whether the server does not have the file yet.
    var isPending: Bool { state == .waiting || state == .uploading }

    /// The end of the name, which states the position in the stream and is equal in all renditions.
    var position: Substring { name.split(separator: "-").last ?? name[...] }
    /// The number of the segment; nil for an initialization section.
    var number: Int? { Int(position.prefix { $0 != "." }) }
  }

  /// The time at which to remove a file that has left its playlist, but is perhaps still in the
  /// server's version of the playlist.
  private struct Expiry {
    /// The place in the order of the removals.
    let order: Int
    /// The index of its playlist.
    let playlist: Int
    /// The number of the last segment that needs the file.
    let number: Int
    /// The last segment of the playlist when the file left it.
    let edge: Int
    /// The last segment of the playlist when the file had left the server's version, too; nil
    /// before.
    var sentEdge: Int?
    /// The number of segments after `sentEdge` at which the file may be removed; nil until the
    /// output removes it.
    var delaySegmentCount: Int?
  }

  /// The maximum number of waiting bytes.
  private let capacity: Int
  /// The files by name, also confirmed playlists.
  private var files: [String: File] = [:]
  private var lastOrder = 0
  private var playlists: [HLSUploadPlaylist] = []
  /// Whether old files should be removed from the server.
  ///
  /// False after the server rejected a removal.
  private var removesOldFiles: Bool
  /// Whether a removal may precede the waiting files: on a slow connection some files always wait.
  private var isRemovalDue = false
  /// Whether removals wait for the server to accept another request first.
  private var pausesRemovals = false
  /// The numbers of all segments that will never be uploaded, listed or not.
  private var lostSegments = HLSLostSegments()
  private(set) var waitingByteCount = 0
  private(set) var sentSegmentCount = 0
  private(set) var droppedSegmentCount = 0

  /// Creates an empty queue for at most `capacity` bytes.
  ///
  /// The queue removes old files from the server if `removesOldFiles` is true.
  init(capacity: Int, removesOldFiles: Bool = false) {
    self.capacity = capacity
    self.removesOldFiles = removesOldFiles
  }

  /// The number of segments that will never be uploaded, not counting renditions.
  var lostSegmentCount: Int { lostSegments.count }

  /// The number of waiting segments of all renditions.
  var waitingSegmentCount: Int { files.values.count { $0.isSegment && $0.isPending } }

  /// The number of waiting segments in the rendition that has the most.
  var waitingDepth: Int {
    let counts = playlists.filter(\.isMedia).map { playlist in
      playlist.contents.names.count { ![.onServer, .lost].contains(files[$0]?.state) }
    }
    return counts.max() ?? waitingSegmentCount
  }

  /// Whether the server has all files except the dropped ones.
  var isComplete: Bool {
    !files.values.contains(where: \.isPending)
      && playlists.allSatisfy { $0.isSent(isLost: { files[$0]?.state == .lost }) }
  }

  /// Returns the first of some files in the order of the uploads or removals.
  private func first(where condition: (File) -> Bool) -> File? {
    files.values.filter(condition).min { $0.order < $1.order }
  }

  private mutating func nextOrder() -> Int {
    lastOrder += 1
    return lastOrder
  }

  // MARK: - Output side

  /// Appends a file.
  ///
  /// Drops the oldest segments if too many bytes wait.
  mutating func put(_ bytes: [UInt8], as name: String) {
    files[name] = File(name: name, state: .waiting, bytes: bytes, order: nextOrder())
    waitingByteCount += bytes.count
    while waitingByteCount > capacity,
      let oldest = first(where: { $0.isSegment && $0.state == .waiting && $0.name != name })
    {
      drop(oldest)
    }
  }

  /// Sets the newest text of a playlist.
  ///
  /// Drops the segments that have left it.
  mutating func publish(_ text: String, as name: String, contents: HLSPlaylistContents) {
    if let index = playlists.firstIndex(where: { $0.name == name }) {
      for (file, number) in playlists[index].replace(text, contents) {
        let expiry = Expiry(
          order: nextOrder(), playlist: index, number: number, edge: contents.edge.segment)
        files[file]?.expiry = expiry
      }
    } else {
      playlists.append(HLSUploadPlaylist(name: name, text: text, contents: contents))
    }
    guard contents.targetDuration != nil else { return }
    let names = Set(contents.names)
    for file in files.values where file.isPending {
      if names.contains(file.name) {
        files[file.name]?.playlist = name
      } else if file.playlist == name {
        if file.state == .uploading { files[file.name]?.wasRemoved = true } else { drop(file) }
      }
    }
    removeDueFiles()
  }

  /// Marks a file that left the output's playlists long enough ago.
  ///
  /// The file is removed from the server once it also left the server's playlists long enough ago.
  mutating func remove(_ name: String) {
    guard let file = files[name] else { return }
    switch file.state {
    case .waiting:
      waitingByteCount -= file.bytes.count
      files[name] = nil
    case .lost: files[name] = nil
    case .uploading, .onServer:
      guard let expiry = file.expiry else { return queueRemoval(of: file) }
      let edge = playlists[expiry.playlist].contents.edge.segment
      files[name]?.expiry?.delaySegmentCount = edge - expiry.edge
      removeDueFiles()
    case .removing: break
    }
  }

  /// Removes the files that left both the output's and the server's playlists long enough ago.
  private mutating func removeDueFiles() {
    var due: [(order: Int, file: File)] = []
    for (name, file) in files {
      guard var expiry = file.expiry else { continue }
      let playlist = playlists[expiry.playlist]
      let edge = playlist.contents.edge.segment
      if expiry.sentEdge == nil, let sent = playlist.sent, expiry.number < sent.numbers.lowerBound {
        expiry.sentEdge = edge
        files[name]?.expiry = expiry
      }
      if let start = expiry.sentEdge, let delay = expiry.delaySegmentCount, edge >= start + delay {
        due.append((expiry.order, file))
      }
    }
    for (_, file) in due.sorted(by: { $0.order < $1.order }) { queueRemoval(of: file) }
  }

  /// Queues the removal of a file, if the server has it.
  private mutating func queueRemoval(of file: File) {
    guard file.state == .onServer else { return }
    files[file.name] =
      removesOldFiles ? File(name: file.name, state: .removing, order: nextOrder()) : nil
  }

  /// Drops all waiting files.
  ///
  /// Returns the number of waiting segments, not counting renditions.
  mutating func removeAll() -> Int {
    discardRemovals()
    let waiting = files.values.filter(\.isPending)
    for file in waiting { drop(file) }
    return Set(waiting.filter(\.isSegment).map(\.position)).count
  }

  private mutating func discardRemovals() {
    files = files.filter { $0.value.state != .removing }
  }

  private mutating func drop(_ file: File) {
    for index in playlists.indices { playlists[index].refresh() }
    waitingByteCount -= file.bytes.count
    guard file.isSegment else { return files[file.name] = nil }
    files[file.name] = File(name: file.name, state: .lost)
    if let number = file.number { lostSegments.insert(number) }
    droppedSegmentCount += 1
  }

  // MARK: - Server side

  /// Returns the next request, or nil if there is none.
  ///
  /// The caller must report its result with `confirm` or `fail`.
  ///
  /// With `isEnding`, removals are tried immediately: the server has nothing else left to accept.
  mutating func next(isEnding: Bool = false) -> Step? {
    let files = files
    for index in playlists.indices {
      let text = playlists[index].next(
        isOnServer: { files[$0]?.state == .onServer }, isLost: { files[$0]?.state == .lost })
      if let text {
        return .playlist(playlists[index].name, text: text, caching: playlists[index].caching)
      }
    }
    let removal = first(where: { $0.state == .removing }).map { Step.removal($0.name) }
    if isRemovalDue, !pausesRemovals, let removal {
      isRemovalDue = false
      return removal
    }
    if let file = first(where: \.isPending) {
      self.files[file.name]?.state = .uploading
      return .file(file.name, file.bytes)
    }
    return pausesRemovals && !isEnding ? nil : removal
  }

  /// Records that the server has confirmed a request.
  mutating func confirm(_ step: Step) {
    pausesRemovals = false
    switch step {
    case .file(let name, let bytes):
      guard let file = files[name], file.isPending else { return }
      waitingByteCount -= bytes.count
      files[name] = File(name: name, state: .onServer, expiry: file.expiry)
      if file.isSegment { sentSegmentCount += 1 }
      for index in playlists.indices {
        let isOwn = playlists[index].name == file.playlist
        playlists[index].refresh(arrivedByteCount: isOwn ? bytes.count : 0)
      }
    case .playlist(let name, _, _):
      // Refresh the master playlist, which may have waited for this playlist.
      let isNew = files[name] == nil
      files[name] = File(name: name, state: .onServer)
      for index in playlists.indices {
        if playlists[index].name == name { playlists[index].confirm() }
        if isNew { playlists[index].refresh() }
      }
      isRemovalDue = true
    case .removal(let name): files[name] = nil
    }
    removeDueFiles()
  }

  /// Records a failed request.
  ///
  /// The request stays in the queue, unless its file left the playlist during the upload.
  mutating func fail() {
    for file in files.values where file.state == .uploading {
      files[file.name]?.state = .waiting
      if file.wasRemoved {
        drop(file)
        files[file.name] = nil
      }
    }
    removeDueFiles()
  }

  /// Records a failed removal.
  ///
  /// The removal is tried again once the server has accepted another request. At the end of the
  /// upload, each removal is tried only once.
  mutating func failRemoval(of name: String, isEnding: Bool) {
    let order = nextOrder()
    if isEnding { files[name] = nil } else { files[name]?.order = order }
    pausesRemovals = true
  }

  /// Drops a file that the server does not accept.
  mutating func giveUp(_ name: String) {
    if let file = files[name], file.isPending { drop(file) }
  }

  /// Leaves old files on the server from now on.
  mutating func stopRemoving() {
    removesOldFiles = false
    discardRemovals()
  }
}

/// The numbers of the segments that were never uploaded.
///
/// A segment counts once for all renditions. Consecutive numbers are stored as one range, so that
/// an outage of days needs no additional memory.
struct HLSLostSegments: Sendable {
  /// The numbers in ascending order.
  ///
  /// Ranges neither overlap nor adjoin.
  private var ranges: [ClosedRange<Int>] = []

  /// The number of lost segments.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Records a lost segment of any rendition.
  mutating func insert(_ number: Int) {
    let index = ranges.firstIndex { number <= $0.upperBound + 1 } ?? ranges.count
    guard index < ranges.count, ranges[index].lowerBound <= number + 1 else {
      return ranges.insert(number...number, at: index)
    }
    var range = ranges[index]
    range = min(range.lowerBound, number)...max(range.upperBound, number)
    // The segment may have filled the gap before the next range, so join both ranges.
    if index + 1 < ranges.count, ranges[index + 1].lowerBound == range.upperBound + 1 {
      range = range.lowerBound...ranges.remove(at: index + 1).upperBound
    }
    ranges[index] = range
  }
}
