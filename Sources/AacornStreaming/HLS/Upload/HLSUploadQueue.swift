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
    let name: String
    let bytes: [UInt8]
    /// The name of the playlist that lists the file; nil before it is listed.
    var playlist: String?
    /// Whether the file left the playlist during its upload.
    var wasRemoved = false

    var isSegment: Bool { !HLSNames.isInitialization(name) }

    /// The end of the name, which states the position in the stream and is equal in all renditions.
    var position: Substring { name.split(separator: "-").last ?? name[...] }
    /// The number of the segment; nil for an initialization section.
    var number: Int? { Int(position.prefix { $0 != "." }) }
  }

  /// A file that has left its playlist, but is perhaps still in the server's version of the
  /// playlist.
  private struct PendingRemoval {
    let name: String
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
    /// Whether the file may be removed from the server.
    var isDue = false
  }

  /// The maximum number of waiting bytes.
  private let capacity: Int
  /// The waiting files, oldest first.
  private var files: [File] = []
  private var playlists: [HLSUploadPlaylist] = []
  private var pendingRemovals: [PendingRemoval] = []
  private var removals: [String] = []
  /// Whether old files should be removed from the server.
  ///
  /// False after the server rejected a removal.
  private var removesOldFiles: Bool
  /// Whether a removal may precede the waiting files: on a slow connection some files always wait.
  private var isRemovalDue = false
  /// Whether removals wait for the server to accept another request first.
  private var pausesRemovals = false
  /// The names of the files on the server.
  private var namesOnServer: Set<String> = []
  /// The names of the files that will never be uploaded, but may be listed.
  private var lost: Set<String> = []
  /// The numbers of all segments that will never be uploaded, listed or not.
  private var lostSegments = HLSLostSegments()
  /// The name of the file whose upload is in progress.
  private var current: String?
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
  var waitingSegmentCount: Int { files.count { $0.isSegment } }

  /// The number of waiting segments in the rendition that has the most.
  var waitingDepth: Int {
    let counts = playlists.filter(\.isMedia).map { playlist in
      playlist.contents.names.count { !namesOnServer.contains($0) && !lost.contains($0) }
    }
    return counts.max() ?? waitingSegmentCount
  }

  /// Whether the server has all files except the dropped ones.
  var isComplete: Bool { files.isEmpty && playlists.allSatisfy { $0.isSent(lost: lost) } }

  // MARK: - Output side

  /// Appends a file.
  ///
  /// Drops the oldest segments if too many bytes wait.
  mutating func put(_ bytes: [UInt8], as name: String) {
    files.append(File(name: name, bytes: bytes))
    waitingByteCount += bytes.count
    while waitingByteCount > capacity,
      let index = files.dropLast().firstIndex(where: { $0.isSegment && $0.name != current })
    {
      drop(at: index)
    }
  }

  /// Sets the newest text of a playlist.
  ///
  /// Drops the segments that have left it.
  mutating func publish(_ text: String, as name: String, contents: HLSPlaylistContents) {
    if let index = playlists.firstIndex(where: { $0.name == name }) {
      pendingRemovals += playlists[index].replace(text, contents).map { name, number in
        PendingRemoval(name: name, playlist: index, number: number, edge: contents.edge.segment)
      }
    } else {
      playlists.append(HLSUploadPlaylist(name: name, text: text, contents: contents))
    }
    guard contents.targetDuration != nil else { return }
    let names = Set(contents.names)
    for index in files.indices.reversed() {
      if names.contains(files[index].name) {
        files[index].playlist = name
      } else if files[index].playlist == name {
        if files[index].name == current { files[index].wasRemoved = true } else { drop(at: index) }
      }
    }
    removeDueFiles()
  }

  /// Marks a file that left the output's playlists long enough ago.
  ///
  /// The file is removed from the server once it also left the server's playlists long enough ago.
  mutating func remove(_ name: String) {
    lost.remove(name)
    if let index = files.firstIndex(where: { $0.name == name }), name != current {
      waitingByteCount -= files.remove(at: index).bytes.count
    }
    guard let index = pendingRemovals.firstIndex(where: { $0.name == name }) else {
      return queueRemoval(name)
    }
    let edge = playlists[pendingRemovals[index].playlist].contents.edge.segment
    pendingRemovals[index].delaySegmentCount = edge - pendingRemovals[index].edge
    removeDueFiles()
  }

  /// Removes the files that left both the output's and the server's playlists long enough ago.
  private mutating func removeDueFiles() {
    for index in pendingRemovals.indices {
      let playlist = playlists[pendingRemovals[index].playlist]
      let edge = playlist.contents.edge.segment
      if pendingRemovals[index].sentEdge == nil, let sent = playlist.sent,
        pendingRemovals[index].number < sent.numbers.lowerBound
      {
        pendingRemovals[index].sentEdge = edge
      }
      if let start = pendingRemovals[index].sentEdge,
        let delaySegmentCount = pendingRemovals[index].delaySegmentCount
      {
        pendingRemovals[index].isDue =
          edge >= start + delaySegmentCount && pendingRemovals[index].name != current
      }
    }
    let names = pendingRemovals.filter(\.isDue).map(\.name)
    pendingRemovals.removeAll(where: \.isDue)
    for name in names { queueRemoval(name) }
  }

  private mutating func queueRemoval(_ name: String) {
    if namesOnServer.remove(name) != nil, removesOldFiles { removals.append(name) }
  }

  /// Drops all waiting files.
  ///
  /// Returns the number of waiting segments, not counting renditions.
  mutating func removeAll() -> Int {
    current = nil
    removals = []
    let positions = Set(files.filter(\.isSegment).map(\.position))
    while !files.isEmpty { drop(at: files.count - 1) }
    return positions.count
  }

  private mutating func drop(at index: Int) {
    for index in playlists.indices { playlists[index].refresh() }
    let file = files.remove(at: index)
    waitingByteCount -= file.bytes.count
    guard file.isSegment else { return }
    lost.insert(file.name)
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
    for index in playlists.indices {
      if let text = playlists[index].next(namesOnServer: namesOnServer, lost: lost) {
        return .playlist(playlists[index].name, text: text, caching: playlists[index].caching)
      }
    }
    if isRemovalDue, !pausesRemovals, let name = removals.first {
      isRemovalDue = false
      return .removal(name)
    }
    if let file = files.first {
      current = file.name
      return .file(file.name, file.bytes)
    }
    return pausesRemovals && !isEnding ? nil : removals.first.map { .removal($0) }
  }

  /// Records that the server has confirmed a request.
  mutating func confirm(_ step: Step) {
    current = nil
    pausesRemovals = false
    switch step {
    case .file(let name, _):
      guard let index = files.firstIndex(where: { $0.name == name }) else { return }
      let file = files.remove(at: index)
      waitingByteCount -= file.bytes.count
      namesOnServer.insert(name)
      if file.isSegment { sentSegmentCount += 1 }
      for index in playlists.indices {
        let isOwn = playlists[index].name == file.playlist
        playlists[index].refresh(arrivedByteCount: isOwn ? file.bytes.count : 0)
      }
    case .playlist(let name, _, _):
      // Refresh the master playlist, which may have waited for this playlist.
      let isNew = namesOnServer.insert(name).inserted
      for index in playlists.indices {
        if playlists[index].name == name { playlists[index].confirm() }
        if isNew { playlists[index].refresh() }
      }
      isRemovalDue = true
    case .removal(let name): removals.removeAll { $0 == name }
    }
    removeDueFiles()
  }

  /// Records a failed request.
  ///
  /// The request stays in the queue, unless its file left the playlist during the upload.
  mutating func fail() {
    current = nil
    if let index = files.firstIndex(where: \.wasRemoved) {
      let name = files[index].name
      drop(at: index)
      lost.remove(name)
    }
    removeDueFiles()
  }

  /// Records a failed removal.
  ///
  /// The removal is tried again once the server has accepted another request. At the end of the
  /// upload, each removal is tried only once.
  mutating func failRemoval(of name: String, isEnding: Bool) {
    removals.removeAll { $0 == name }
    if !isEnding { removals.append(name) }
    pausesRemovals = true
  }

  /// Drops a file that the server does not accept.
  mutating func giveUp(_ name: String) {
    current = nil
    if let index = files.firstIndex(where: { $0.name == name }) { drop(at: index) }
  }

  /// Leaves old files on the server from now on.
  mutating func stopRemoving() {
    removesOldFiles = false
    removals = []
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
