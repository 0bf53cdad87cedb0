/// A playlist as far as the server has what it names.
///
/// A player that is told of a file that is not there yet gives up or skips it. So the playlist ends
/// before the first segment that still waits; one that will never come is marked as missing
/// (`EXT-X-GAP`, RFC 8216bis, 4.4.4.7), which players step over or fetch from another rendition. The
/// numbers and times of the segments go on meanwhile, so there is no discontinuity.
///
/// While its end waits, it lists segments longer than the output does: a playlist never shrinks
/// below three target durations (RFC 8216, 6.2.2).
struct HLSUploadPlaylist: Sendable {
  /// A text for the server.
  struct Draft: Sendable, Equatable {
    /// The text.
    var text: String
    /// The numbers of the segments in it.
    var numbers = 0..<0
  }

  /// Its name.
  let name: String
  /// Its newest text.
  private(set) var text = ""
  /// What is in that text.
  private(set) var contents: HLSPlaylistContents
  /// The text that the server has confirmed.
  private(set) var sent: Draft?
  private var parts = HLSPlaylistParts()
  /// The last segments that have left it, as far as the server still lists them.
  private var departed: [HLSPlaylistParts.Segment] = []
  /// What is to be sent, unless that has to be found out.
  private var draft: Draft?
  private var isStale = true
  /// Bytes of its segments that have arrived since it was sent.
  private var arrivedByteCount = 0
  /// When it is sent again, however few these are.
  private var deadline: Deadline?

  /// Creates a playlist with its first text.
  init(name: String, text: String, contents: HLSPlaylistContents) {
    self.name = name
    self.contents = contents
    replace(text, contents)
  }

  /// Whether it lists segments, and not playlists.
  var isMedia: Bool { contents.targetDuration != nil }

  /// Whether the server has its newest text; a text with marks is the newest one, too.
  func isSent(lost: Set<String>) -> Bool {
    sent != nil && newDraft(isThere: { !lost.contains($0) }, lost: lost) == sent
  }

  /// How long caches may keep it: at most half of the target duration, as it is another one with
  /// every segment.
  var caching: String {
    guard let target = contents.targetDuration else { return "max-age=2" }
    return "max-age=\(max(1, target.components.seconds / 2))"
  }

  /// Takes a newer text, and returns the files that only an older one listed, with the number of the
  /// last segment that needs each.
  @discardableResult mutating func replace(
    _ text: String, _ contents: HLSPlaylistContents
  ) -> [(name: String, number: Int)] {
    self.text = text
    self.contents = contents
    isStale = true
    guard isMedia else { return [] }
    let old = parts
    parts = HLSPlaylistParts(text)
    let count = parts.number - old.number
    let leaving = old.segments.prefix(max(0, count))
    departed += leaving
    if count > old.segments.count { departed = [] }
    forgetDeparted()
    return leaving.indices.flatMap { index -> [(String, Int)] in
      let following =
        index + 1 < old.segments.count ? old.segments[index + 1] : parts.segments.first
      let map = leaving[index].map == following?.map ? nil : leaving[index].map
      return [leaving[index].name, map].compactMap { $0.map { ($0, old.number + index) } }
    }
  }

  /// Learns that files have come to the server, or never will.
  mutating func refresh(arrivedByteCount count: Int = 0) {
    isStale = true
    arrivedByteCount += count
  }

  /// The next text for the server, which has the files `there`, and will never have those that are
  /// `lost`; nil if there is nothing to say yet.
  mutating func next(there: Set<String>, lost: Set<String>) -> String? {
    if isStale {
      isStale = false
      let new = newDraft(isThere: { there.contains($0) }, lost: lost)
      draft = new == sent ? nil : new
    }
    return draft?.text
  }

  /// Records that the server has the next text.
  mutating func confirm() {
    sent = draft
    draft = nil
    arrivedByteCount = 0
    deadline = contents.targetDuration.map { Deadline(after: $0) }
    forgetDeparted()
  }

  private func newDraft(isThere: (String) -> Bool, lost: Set<String>) -> Draft? {
    // Without one of its playlists, a master playlist would be of another presentation.
    guard let target = contents.targetDuration else {
      return contents.names.allSatisfy(isThere) ? Draft(text: text) : nil
    }
    let listed = parts.segments.prefix { segment in
      (segment.map.map(isThere) ?? true) && (isThere(segment.name) || lost.contains(segment.name))
    }
    var numbers = parts.number..<parts.number + listed.count
    if listed.count == parts.segments.count {
      let hasAll = listed.allSatisfy { isThere($0.name) }
      return Draft(
        text: hasAll
          ? text : parts.text(count: listed.count, after: []) { isThere($0.name) },
        numbers: numbers)
    }
    guard !parts.isOnDemand, isWorthwhile(upTo: numbers.upperBound),
      listed.contains(where: { isThere($0.name) })
    else { return nil }
    var rest = 3 * Double(target.components.seconds) - listed.reduce(0) { $0 + $1.duration }
    let kept = departed.reversed().prefix { segment in
      defer { rest -= segment.duration }
      return rest > 0
    }.count
    numbers = numbers.lowerBound - kept..<numbers.upperBound
    return Draft(
      text: parts.text(count: listed.count, after: departed.suffix(kept)) { isThere($0.name) },
      numbers: numbers)
  }

  /// Whether a text that is cut is worth a request: it says something new, and does not take more
  /// time than what it tells of, as that of a long event would.
  private func isWorthwhile(upTo number: Int) -> Bool {
    guard let sent else { return true }
    return number > sent.numbers.upperBound
      && (arrivedByteCount >= text.utf8.count || deadline?.isOver != false)
  }

  private mutating func forgetDeparted() {
    guard let first = (sent ?? draft)?.numbers.lowerBound else { return departed = [] }
    departed.removeFirst(min(departed.count, max(0, first - (parts.number - departed.count))))
  }
}
