import AacornRecording

/// What is to be uploaded, and what the server has.
///
///     put ──►  files  ─────────────┐
///     publish ►  newest playlists  ├─► next step ─► server: confirm, or once more
///     remove ►  removals ──────────┘
///
/// Playlists come first, cut where the server's files end: so each segment is listed as soon as it
/// is there, even if the next ones wait. Of a playlist only the newest text matters.
struct HLSUploadQueue: Sendable {
  /// A request to the server.
  enum Step: Sendable, Equatable {
    /// A segment or an initialization section.
    case file(String, [UInt8])
    /// A playlist.
    case playlist(String, text: String, caching: String)
    /// The removal of a file.
    case removal(String)

    /// Servers may take one of these, and refuse another.
    enum Kind: Sendable {
      case section, segment, playlist, removal
    }

    /// What it is about.
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
    /// The playlist that lists it; nil before there is one.
    var playlist: String?
    /// Whether it left that while it was being uploaded.
    var hasLeft = false

    var isSegment: Bool { !HLSNames.isInitialization(name) }

    /// Where in the stream it is; renditions have the same numbers.
    var place: Substring { name.split(separator: "-").last ?? name[...] }
    /// The number of its segment.
    var number: Int? { Int(place.prefix { $0 != "." }) }
  }

  /// A file that its playlist no longer lists, but perhaps the server's text of that.
  private struct Departure {
    let name: String
    /// The index of its playlist.
    let playlist: Int
    /// The number of the last segment that needs it.
    let number: Int
    /// How far the playlist reached when that left it.
    let edge: Int
    /// How far it reached when that had left the server's text, too.
    var sentEdge: Int?
    /// How many segments after that it may be removed, once it may be in other places.
    var patience: Int?
    /// Whether it may be removed.
    var isDue = false
  }

  /// The most bytes that may wait.
  private let capacity: Int
  /// In the order in which they came.
  private var files: [File] = []
  private var playlists: [HLSUploadPlaylist] = []
  private var departures: [Departure] = []
  private var removals: [String] = []
  /// Whether old files are to be removed from the server, which has not refused to.
  private var removes: Bool
  /// Whether one of them may come before the files that wait: on a slow way some always do.
  private var isRemovalDue = false
  /// Whether they wait until the server has taken something again.
  private var removalsRest = false
  /// What the server has.
  private var there: Set<String> = []
  /// What it will never have, and may be listed.
  private var lost: Set<String> = []
  /// What it will never have, listed or not.
  private var lostSegments = HLSLostSegments()
  /// The file that is being uploaded.
  private var current: String?
  private(set) var waitingByteCount = 0
  private(set) var sentSegmentCount = 0
  private(set) var droppedSegmentCount = 0

  /// Creates an empty queue for so many bytes, which `removes` old files or leaves them there.
  init(capacity: Int, removes: Bool = false) {
    self.capacity = capacity
    self.removes = removes
  }

  /// Segments that the server will never have, not counting renditions.
  var lostSegmentCount: Int { lostSegments.count }

  /// Segments that wait.
  var waitingSegmentCount: Int { files.count { $0.isSegment } }

  /// How many segments of one rendition wait, of the one that has most.
  var waitingDepth: Int {
    let counts = playlists.filter(\.isMedia).map { playlist in
      playlist.contents.names.count { !there.contains($0) && !lost.contains($0) }
    }
    return counts.max() ?? waitingSegmentCount
  }

  /// Whether the server has everything but what was dropped.
  var isComplete: Bool { files.isEmpty && playlists.allSatisfy { $0.isSent(lost: lost) } }

  // MARK: - The output's side

  /// Takes a file; drops the oldest segments if too many bytes wait.
  mutating func put(_ bytes: [UInt8], as name: String) {
    files.append(File(name: name, bytes: bytes))
    waitingByteCount += bytes.count
    while waitingByteCount > capacity,
      let index = files.dropLast().firstIndex(where: { $0.isSegment && $0.name != current })
    {
      drop(at: index)
    }
  }

  /// Takes the newest text of a playlist; drops the segments that have left it.
  mutating func publish(_ text: String, as name: String, contents: HLSPlaylistContents) {
    if let index = playlists.firstIndex(where: { $0.name == name }) {
      departures += playlists[index].replace(text, contents).map { name, number in
        Departure(name: name, playlist: index, number: number, edge: contents.edge.segment)
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
        if files[index].name == current { files[index].hasLeft = true } else { drop(at: index) }
      }
    }
    settle()
  }

  /// Forgets a file that no playlist of the output has listed for long enough, once the same is true
  /// of the server's.
  mutating func remove(_ name: String) {
    lost.remove(name)
    if let index = files.firstIndex(where: { $0.name == name }), name != current {
      waitingByteCount -= files.remove(at: index).bytes.count
    }
    guard let index = departures.firstIndex(where: { $0.name == name }) else {
      return forget(name)
    }
    let edge = playlists[departures[index].playlist].contents.edge.segment
    departures[index].patience = edge - departures[index].edge
    settle()
  }

  /// Forgets what neither the output's playlists nor the server's have listed for long enough.
  private mutating func settle() {
    for index in departures.indices {
      let playlist = playlists[departures[index].playlist]
      let edge = playlist.contents.edge.segment
      if departures[index].sentEdge == nil, let sent = playlist.sent,
        departures[index].number < sent.numbers.lowerBound
      {
        departures[index].sentEdge = edge
      }
      if let start = departures[index].sentEdge, let patience = departures[index].patience {
        departures[index].isDue = edge >= start + patience && departures[index].name != current
      }
    }
    let names = departures.filter(\.isDue).map(\.name)
    departures.removeAll(where: \.isDue)
    for name in names { forget(name) }
  }

  private mutating func forget(_ name: String) {
    if there.remove(name) != nil, removes { removals.append(name) }
  }

  /// Gives up everything that waits, and returns how many segments that are, not counting renditions.
  mutating func removeAll() -> Int {
    current = nil
    removals = []
    let places = Set(files.filter(\.isSegment).map(\.place))
    while !files.isEmpty { drop(at: files.count - 1) }
    return places.count
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

  // MARK: - The server's side

  /// What to do next, after which `confirm` or `fail` must follow; nil if there is nothing.
  ///
  /// While it `isEnding`, nothing comes that could be waited for.
  mutating func next(isEnding: Bool = false) -> Step? {
    for index in playlists.indices {
      if let text = playlists[index].next(there: there, lost: lost) {
        return .playlist(playlists[index].name, text: text, caching: playlists[index].caching)
      }
    }
    if isRemovalDue, !removalsRest, let name = removals.first {
      isRemovalDue = false
      return .removal(name)
    }
    if let file = files.first {
      current = file.name
      return .file(file.name, file.bytes)
    }
    return removalsRest && !isEnding ? nil : removals.first.map { .removal($0) }
  }

  /// Records that the server has done a step.
  mutating func confirm(_ step: Step) {
    current = nil
    removalsRest = false
    switch step {
    case .file(let name, _):
      guard let index = files.firstIndex(where: { $0.name == name }) else { return }
      let file = files.remove(at: index)
      waitingByteCount -= file.bytes.count
      there.insert(name)
      if file.isSegment { sentSegmentCount += 1 }
      for index in playlists.indices {
        let isOwn = playlists[index].name == file.playlist
        playlists[index].refresh(arrivedByteCount: isOwn ? file.bytes.count : 0)
      }
    case .playlist(let name, _, _):
      // The playlist of playlists may have waited for it.
      let isNew = there.insert(name).inserted
      for index in playlists.indices {
        if playlists[index].name == name { playlists[index].confirm() }
        if isNew { playlists[index].refresh() }
      }
      isRemovalDue = true
    case .removal(let name): removals.removeAll { $0 == name }
    }
    settle()
  }

  /// Records that the server has not done a step, which stays to be done, unless it is about a file
  /// that has left its playlist meanwhile.
  mutating func fail() {
    current = nil
    if let index = files.firstIndex(where: \.hasLeft) {
      let name = files[index].name
      drop(at: index)
      lost.remove(name)
    }
    settle()
  }

  /// Records that a file was not removed, which is tried again once the server has taken something;
  /// at the end, each file has one attempt.
  mutating func failRemoval(of name: String, isEnding: Bool) {
    removals.removeAll { $0 == name }
    if !isEnding { removals.append(name) }
    removalsRest = true
  }

  /// Gives up a file that the server does not take.
  mutating func giveUp(_ name: String) {
    current = nil
    if let index = files.firstIndex(where: { $0.name == name }) { drop(at: index) }
  }

  /// Leaves what is to be removed where it is.
  mutating func stopRemoving() {
    removes = false
    removals = []
  }
}
