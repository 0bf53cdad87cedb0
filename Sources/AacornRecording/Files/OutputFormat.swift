/// The formats of encoded files.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// An MPEG-4 file with tags and exact length.
  case m4a
  /// A bare stream of frames with ADTS headers.
  case aac
  /// A stream with LATM headers (LOAS), as used in digital radio and television.
  case latm

  /// Creates the format for a file name's suffix; nil for a suffix without an encoder.
  package init?(suffix: String) {
    switch SoundFileFormat(suffix: suffix) {
    case .m4a: self = .m4a
    case .aac: self = .aac
    case .latm: self = .latm
    case .wav, .caf, .aiff, nil: return nil
    }
  }

  /// The suffixes of the format, the default first.
  package var suffixes: [String] {
    switch self {
    case .m4a: SoundFileFormat.m4a.suffixes
    case .aac: SoundFileFormat.aac.suffixes
    case .latm: SoundFileFormat.latm.suffixes
    }
  }
}
