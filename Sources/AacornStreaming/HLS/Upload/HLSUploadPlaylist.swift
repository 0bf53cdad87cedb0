import AacornNetwork

/// A playlist, limited to the files that the server has.
///
/// A player stops or skips if a listed file does not exist yet. The playlist therefore ends before
/// the first segment that still waits. A segment that will never be uploaded is marked as missing
/// (`EXT-X-GAP`, RFC 8216bis, 4.4.4.7): players skip it or request another rendition. The numbers
/// and times of the segments continue in such a gap, so there is no discontinuity.
///
/// While the newest segments wait for their upload, this playlist lists old segments longer than
/// the output does, so that it never becomes shorter than three target durations (RFC 8216, 6.2.2).
struct HLSUploadPlaylist: Sendable {
  /// A playlist text for the server.
  struct Draft: Sendable, Equatable {
    var text: String
    /// The numbers of the segments in the text.
    var numbers = 0..<0
  }

  /// The file name.
  let name: String
  /// The newest text from the output.
  private(set) var text = ""
  /// The summary of the newest text.
  private(set) var contents: HLSPlaylistContents
  /// The text that the server has confirmed.
  private(set) var sent: Draft?
  private var parts = HLSPlaylistParts()
  /// The last segments that have left the playlist but are still listed on the server.
  private var expiredSegments: [HLSPlaylistParts.Segment] = []
  /// The text to send; nil if there is none.
  ///
  /// Out of date while `isStale`.
  private var draft: Draft?
  private var isStale = true
  /// The number of bytes of segments that were uploaded since this playlist was last sent.
  private var arrivedByteCount = 0
  /// The time at which the playlist is sent again, even if `arrivedByteCount` is small.
  private var deadline: Deadline?

  /// Creates a playlist with its first text.
  init(name: String, text: String, contents: HLSPlaylistContents) {
    self.name = name
    self.contents = contents
    replace(text, contents)
  }

  /// Whether the playlist lists segments rather than playlists.
  var isMedia: Bool { contents.targetDuration != nil }

  /// Returns whether the server has the newest text.
  ///
  /// A text that marks missing segments counts as the newest one, too.
  func isSent(isLost: (String) -> Bool) -> Bool {
    sent != nil && newDraft(isPresent: { !isLost($0) }, isLost: isLost) == sent
  }

  /// The maximum cache age: half of the target duration, because the playlist changes with every
  /// segment.
  var caching: String {
    guard let target = contents.targetDuration else { return "max-age=2" }
    return "max-age=\(max(1, target.components.seconds / 2))"
  }

  /// Replaces the text.
  ///
  /// Returns the files that only an older text listed, each with the number of the last segment
  /// that needs it.
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
    expiredSegments += leaving
    if count > old.segments.count { expiredSegments = [] }
    discardExpiredSegments()
    return leaving.indices.flatMap { index -> [(String, Int)] in
      let following =
        index + 1 < old.segments.count ? old.segments[index + 1] : parts.segments.first
      let section = leaving[index].initializationName
      let unneeded = section == following?.initializationName ? nil : section
      return [leaving[index].name, unneeded].compactMap { $0.map { ($0, old.number + index) } }
    }
  }

  /// Marks the next text as outdated, after files were uploaded or lost.
  mutating func refresh(arrivedByteCount count: Int = 0) {
    isStale = true
    arrivedByteCount += count
  }

  /// Returns the next text for the server, or nil if nothing has changed.
  ///
  /// The server will never have the files that are lost.
  mutating func next(isOnServer: (String) -> Bool, isLost: (String) -> Bool) -> String? {
    if isStale {
      isStale = false
      let new = newDraft(isPresent: isOnServer, isLost: isLost)
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
    discardExpiredSegments()
  }

  private func newDraft(isPresent: (String) -> Bool, isLost: (String) -> Bool) -> Draft? {
    // A master playlist must not omit a rendition, so it waits for all of its playlists.
    guard let target = contents.targetDuration else {
      return contents.names.allSatisfy(isPresent) ? Draft(text: text) : nil
    }
    let listed = parts.segments.prefix { segment in
      (segment.initializationName.map(isPresent) ?? true)
        && (isPresent(segment.name) || isLost(segment.name))
    }
    var numbers = parts.number..<parts.number + listed.count
    if listed.count == parts.segments.count {
      let hasAll = listed.allSatisfy { isPresent($0.name) }
      return Draft(
        text: hasAll
          ? text : parts.text(count: listed.count, after: []) { isPresent($0.name) },
        numbers: numbers)
    }
    guard !parts.isOnDemand, isWorthwhile(upTo: numbers.upperBound),
      listed.contains(where: { isPresent($0.name) })
    else { return nil }
    var rest = 3 * Double(target.components.seconds) - listed.reduce(0) { $0 + $1.duration }
    let kept = expiredSegments.reversed().prefix { segment in
      defer { rest -= segment.duration }
      return rest > 0
    }.count
    numbers = numbers.lowerBound - kept..<numbers.upperBound
    return Draft(
      text: parts.text(count: listed.count, after: expiredSegments.suffix(kept)) {
        isPresent($0.name)
      },
      numbers: numbers)
  }

  /// Returns whether a shortened text is worth a request: it lists more segments, and sending it
  /// takes less time than sending those segments.
  ///
  /// The complete text of a long event can be larger than a segment.
  private func isWorthwhile(upTo number: Int) -> Bool {
    guard let sent else { return true }
    return number > sent.numbers.upperBound
      && (arrivedByteCount >= text.utf8.count || deadline?.hasPassed != false)
  }

  private mutating func discardExpiredSegments() {
    guard let first = (sent ?? draft)?.numbers.lowerBound else { return expiredSegments = [] }
    expiredSegments.removeFirst(
      min(expiredSegments.count, max(0, first - (parts.number - expiredSegments.count))))
  }
}
