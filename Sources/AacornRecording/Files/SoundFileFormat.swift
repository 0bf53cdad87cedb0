package import AacornSoundFiles

/// The file formats that are known by suffix.
///
/// Recording and encoding support subsets of these formats, each with its own type: `FileFormat`
/// and `OutputFormat`.
package enum SoundFileFormat: String, CaseIterable, Sendable {
  /// An MPEG-4 file.
  case m4a
  /// A bare stream of frames with ADTS headers.
  case aac
  /// A stream with LATM headers (LOAS).
  case latm
  /// Samples, in RIFF.
  case wav
  /// Samples, in Apple's Core Audio Format.
  case caf
  /// Samples, in IFF.
  case aiff

  /// Creates the format for a file name's suffix in any case; nil if the suffix is unknown.
  package init?(suffix: String) {
    let suffix = suffix.lowercased()
    guard let format = Self.allCases.first(where: { $0.suffixes.contains(suffix) }) else {
      return nil
    }
    self = format
  }

  /// The suffixes of the format in lower case, the default first.
  package var suffixes: [String] {
    switch self {
    case .m4a: ["m4a", "mp4", "m4b", "m4r"]
    case .aac: ["aac", "adts"]
    case .latm: ["latm", "loas"]
    case .wav: ["wav", "wave"]
    case .caf: ["caf"]
    case .aiff: ["aiff", "aif", "aifc"]
    }
  }
}

extension PCMFileWriter.Kind {
  /// Creates the format for a file name's suffix; nil if the suffix is unknown.
  package init?(suffix: String) {
    guard let kind = Self.allCases.first(where: { $0.suffixes.contains(suffix) }) else {
      return nil
    }
    self = kind
  }

  /// The suffixes of the format, the default first.
  package var suffixes: [String] { SoundFileFormat(rawValue: name)?.suffixes ?? ["raw", "pcm"] }

  /// The name in options and results.
  package var name: String {
    switch self {
    case .wav: "wav"
    case .aiff: "aiff"
    case .caf: "caf"
    case .raw: "raw"
    }
  }
}
