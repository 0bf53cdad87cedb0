/// The kinds of file that can be written.
enum OutputFormat: String, CaseIterable, Sendable {
  /// An MPEG-4 file with tags and exact length.
  case m4a
  /// A bare stream of frames with ADTS headers.
  case aac
  /// A stream with LATM headers (LOAS), as digital radio and television use it.
  case latm

  /// The format that a file name asks for, or nil if its suffix says nothing known.
  init?(suffix: String) {
    switch suffix {
    case "m4a", "mp4", "m4b", "m4r": self = .m4a
    case "aac", "adts": self = .aac
    case "latm", "loas": self = .latm
    default: return nil
    }
  }
}
