/// The formats of files that sound is encoded into.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// An MPEG-4 file with tags and exact length.
  case m4a
  /// A bare stream of frames with ADTS headers.
  case aac
  /// A stream with LATM headers (LOAS), as used in digital radio and television.
  case latm

  /// The format for a file name's suffix; nil if the suffix is unknown.
  package init?(suffix: String) {
    guard let format = Self.allCases.first(where: { $0.suffixes.contains(suffix) }) else {
      return nil
    }
    self = format
  }

  /// The suffixes that stand for it, the usual one first.
  package var suffixes: [String] {
    switch self {
    case .m4a: ["m4a", "mp4", "m4b", "m4r"]
    case .aac: ["aac", "adts"]
    case .latm: ["latm", "loas"]
    }
  }
}
