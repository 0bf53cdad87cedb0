/// A playlist as far as the server has what it names.
///
/// A player that is told of a file that is not there yet gives up or skips it. So the playlist ends
/// before the first segment that still waits; one that will never come is marked as missing
/// (`EXT-X-GAP`, RFC 8216bis, 4.4.4.7), which players step over or fetch from another rendition. The
/// numbers and times of the segments go on meanwhile, so there is no discontinuity.
struct HLSUploadPlaylist: Sendable {
  /// Its name.
  let name: String
  /// Its newest text.
  var text: String
  /// What is in that text.
  var contents: HLSPlaylistContents
  /// The text that the server has confirmed.
  var sentText: String?

  /// Whether it lists segments, and not playlists.
  var isMedia: Bool { contents.targetDuration != nil }

  /// Whether the server has its newest text; a text with marks is the newest one, too.
  func isSent(lost: Set<String>) -> Bool {
    text(there: Set(contents.names).subtracting(lost), lost: lost) == sentText
  }

  /// How long caches may keep it: at most half of the target duration, as it is another one with
  /// every segment.
  var caching: String {
    guard let target = contents.targetDuration else { return "max-age=2" }
    return "max-age=\(max(1, target.components.seconds / 2))"
  }

  /// The text for the server, which has the files `there`, and will never have those that are
  /// `lost`; nil if there is nothing to say yet.
  func text(there: Set<String>, lost: Set<String>) -> String? {
    let isWhole = contents.names.allSatisfy { there.contains($0) || lost.contains($0) }
    if isWhole && lost.isDisjoint(with: contents.names) { return text }
    // Without one of its playlists, a master playlist would be of another presentation.
    guard isMedia else { return nil }
    var result = ""
    // The lines since the last name.
    var lines = ""
    var isEmpty = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("#") {
        lines += line + "\n"
        continue
      }
      let name = String(line)
      let isLost = lost.contains(name)
      guard isLost || there.contains(name) else { return isEmpty ? nil : result }
      result += lines + (isLost ? "#EXT-X-GAP\n" : "") + name + "\n"
      lines = ""
      isEmpty = isEmpty && isLost
    }
    return result + lines
  }
}
