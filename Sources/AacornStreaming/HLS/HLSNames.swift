import AacornRecording
import AacornSystem

/// The file names of a rendition.
///
///     stream.m3u8                                     all renditions (`masterPlaylist`)
///     stream-0.m3u8                                   one of them
///     stream-0-live-20261120T190354123Z-init0.mp4     an initialization section
///     stream-0-live-20261120T190354123Z-17.m4s        a segment
///     stream-0-live-20261120T190354123Z-17.3.m4s      a part of it
///
/// The names contain the time at which streaming began, so a name that listeners and caches have
/// already seen is never reused after a restart. They also contain the kind of the presentation, so
/// that a later run recognizes live files left by a crash, which it removes.
package struct HLSNames: Sendable, Equatable {
  /// The file name of the rendition's playlist.
  let playlist: String
  private let stem: String
  private let ending: String

  /// Creates the names of a rendition in the session that began at `time`, in nanoseconds since
  /// 1970.
  init(_ configuration: HLSConfiguration, rendition: Int, time: Int64) {
    let label =
      rendition < configuration.renditionNames.count
      ? configuration.renditionNames[rendition] : "\(rendition)"
    let name = "\(configuration.name)-\(label)"
    playlist = name + Self.playlistEnding
    let digits = Timestamp.iso8601(time).filter { $0 != "-" && $0 != ":" && $0 != "." }
    stem = "\(name)-\(configuration.kind.rawValue)-\(digits)-"
    ending = configuration.media == .packedAudio ? ".aac" : ".m4s"
  }

  private static let playlistEnding = ".m3u8"

  /// Returns the name of the playlist that lists the playlists of all renditions.
  static func masterPlaylist(_ configuration: HLSConfiguration) -> String {
    configuration.name + playlistEnding
  }

  /// Returns the name of an initialization section.
  func initialization(_ index: Int) -> String { "\(stem)init\(index).mp4" }

  /// Returns whether a file is an initialization section, by its name.
  static func isInitialization(_ name: String) -> Bool {
    name.hasSuffix(".mp4") && name.split(separator: "-").last?.hasPrefix("init") == true
  }

  /// Returns whether a file is a complete segment, by its name: neither an initialization section nor a
  /// part.
  package static func isSegment(_ name: String) -> Bool {
    let position = name.split(separator: "-").last ?? ""
    return !isInitialization(name) && position.utf8.count(where: { $0 == 0x2E }) == 1
  }

  /// Returns the name of a segment.
  func segment(_ number: Int) -> String { "\(stem)\(number)\(ending)" }

  /// Returns the name of a part of a segment.
  func part(_ index: Int, of number: Int) -> String { "\(stem)\(number).\(index)\(ending)" }

  /// Returns the common prefix of the file names of a live session, such as
  /// `stream-0-live-20261120T190354123Z`, if `name` belongs to the live playlist `playlist`; nil
  /// for all other files.
  static func liveSession(of name: String, in playlist: String) -> String? {
    guard playlist.hasSuffix(playlistEnding) else { return nil }
    let prefix = "\(playlist.dropLast(playlistEnding.count))-live-"
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isTime(parts[0]), isPositionSuffix(parts[1]) else { return nil }
    return prefix + parts[0]
  }

  /// Returns whether a text has the form `20261120T190354123Z`.
  private static func isTime(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 19, bytes[8] == 0x54, bytes[18] == 0x5A else { return false }
    return bytes.indices.allSatisfy { $0 == 8 || $0 == 18 || bytes[$0].isDigit }
  }

  /// Returns whether a text has the form `init0.mp4`, `17.m4s`, `17.3.m4s` or `17.aac`.
  private static func isPositionSuffix(_ text: Substring) -> Bool {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, let ending = parts.popLast() else { return false }
    if ending == "mp4" {
      return parts.count == 1 && parts[0].hasPrefix("init") && isNumber(parts[0].dropFirst(4))
    }
    return (ending == "m4s" || ending == "aac") && parts.count <= 2 && parts.allSatisfy(isNumber)
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
  }
}
