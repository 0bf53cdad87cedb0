/// The formats of files in the library, identified by their suffixes.
enum RecordingFormat: String, Sendable {
  case m4a
  case aac
  case wav
  case caf
  case aiff
  case latm

  /// The format for a suffix in any case; nil if such files are not for the library.
  init?(suffix: String) {
    switch suffix.lowercased() {
    case "m4a", "mp4", "m4b": self = .m4a
    case "aac", "adts": self = .aac
    case "wav", "wave": self = .wav
    case "caf": self = .caf
    case "aif", "aiff", "aifc": self = .aiff
    case "latm", "loas": self = .latm
    default: return nil
    }
  }

  /// The media type for browsers (from IANA's registry, or what browsers use if it has none).
  var contentType: String {
    switch self {
    case .m4a: "audio/mp4"
    case .aac: "audio/aac"
    case .wav: "audio/wav"
    case .caf: "audio/x-caf"
    case .aiff: "audio/aiff"
    case .latm: "audio/MP4A-LATM"
    }
  }
}
