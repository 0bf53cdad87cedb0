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

    var isSegment: Bool { !HLSNames.isInitialization(name) }
  }

  /// The most bytes that may wait.
  private let capacity: Int
  /// In the order in which they came.
  private var files: [File] = []
  private var playlists: [HLSUploadPlaylist] = []
  private var removals: [String] = []
  /// What the server has.
  private var there: Set<String> = []
  /// What it will never have, and may be listed.
  private var lost: Set<String> = []
  /// The file that is being uploaded.
  private var current: String?
  private(set) var waitingByteCount = 0
  private(set) var sentSegmentCount = 0
  private(set) var droppedSegmentCount = 0

  /// Creates an empty queue for so many bytes.
  init(capacity: Int) { self.capacity = capacity }

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
      playlists[index].text = text
      playlists[index].contents = contents
    } else {
      playlists.append(HLSUploadPlaylist(name: name, text: text, contents: contents))
    }
    guard contents.targetDuration != nil else { return }
    let names = Set(contents.names)
    for index in files.indices.reversed() {
      if names.contains(files[index].name) {
        files[index].playlist = name
      } else if files[index].playlist == name, files[index].name != current {
        drop(at: index)
      }
    }
  }

  /// Forgets a file that no playlist has listed for long enough; the server removes it if it
  /// `removes` such files.
  mutating func remove(_ name: String, removes: Bool) {
    lost.remove(name)
    if let index = files.firstIndex(where: { $0.name == name }), name != current {
      waitingByteCount -= files.remove(at: index).bytes.count
    }
    if there.remove(name) != nil, removes { removals.append(name) }
  }

  /// Gives up everything that waits.
  mutating func removeAll() {
    current = nil
    while !files.isEmpty { drop(at: files.count - 1) }
    removals = []
  }

  private mutating func drop(at index: Int) {
    let file = files.remove(at: index)
    waitingByteCount -= file.bytes.count
    guard file.isSegment else { return }
    lost.insert(file.name)
    droppedSegmentCount += 1
  }

  // MARK: - The server's side

  /// What to do next, after which `confirm` or `fail` must follow; nil if there is nothing.
  mutating func next() -> Step? {
    for playlist in playlists {
      if let text = playlist.text(there: there, lost: lost), text != playlist.sentText {
        return .playlist(playlist.name, text: text, caching: playlist.caching)
      }
    }
    if let file = files.first {
      current = file.name
      return .file(file.name, file.bytes)
    }
    return removals.first.map { .removal($0) }
  }

  /// Records that the server has done a step.
  mutating func confirm(_ step: Step) {
    current = nil
    switch step {
    case .file(let name, _):
      guard let index = files.firstIndex(where: { $0.name == name }) else { return }
      let file = files.remove(at: index)
      waitingByteCount -= file.bytes.count
      there.insert(name)
      if file.isSegment { sentSegmentCount += 1 }
    case .playlist(let name, let text, _):
      there.insert(name)
      guard let index = playlists.firstIndex(where: { $0.name == name }) else { return }
      playlists[index].sentText = text
    case .removal(let name): removals.removeAll { $0 == name }
    }
  }

  /// Records that the server has not done a step, which stays to be done.
  mutating func fail() { current = nil }

  /// Gives up a file that the server does not take.
  mutating func giveUp(_ name: String) {
    current = nil
    if let index = files.firstIndex(where: { $0.name == name }) { drop(at: index) }
  }

  /// Leaves what is to be removed where it is.
  mutating func forgetRemovals() { removals = [] }
}
