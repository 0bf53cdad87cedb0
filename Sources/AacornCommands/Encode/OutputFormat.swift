/// The file formats that can be written.
enum OutputFormat: String, CaseIterable, Sendable {
  /// An MPEG-4 file with tags and exact length.
  case m4a
  /// A bare stream of frames with ADTS headers.
  case aac
  /// A stream with LATM headers (LOAS), as used in digital radio and television.
  case latm

  /// The format for a file name's suffix; nil if the suffix is unknown.
  init?(suffix: String) {
    switch suffix {
    case "m4a", "mp4", "m4b", "m4r": self = .m4a
    case "aac", "adts": self = .aac
    case "latm", "loas": self = .latm
    default: return nil
    }
  }
}
