/// The formats of files that sound is encoded into.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// An MPEG-4 file with tags and exact length.
  case m4a
  /// A bare stream of frames with ADTS headers.
  case aac
  /// A stream with LATM headers (LOAS), as used in digital radio and television.
  case latm

  /// The format for a file name's suffix; nil if nothing is encoded into files that are called so.
  package init?(suffix: String) {
    switch SoundFileFormat(suffix: suffix) {
    case .m4a: self = .m4a
    case .aac: self = .aac
    case .latm: self = .latm
    case .wav, .caf, .aiff, nil: return nil
    }
  }

  /// The suffixes that stand for it, the usual one first.
  package var suffixes: [String] {
    switch self {
    case .m4a: SoundFileFormat.m4a.suffixes
    case .aac: SoundFileFormat.aac.suffixes
    case .latm: SoundFileFormat.latm.suffixes
    }
  }
}
