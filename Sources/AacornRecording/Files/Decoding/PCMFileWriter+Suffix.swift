package import AacornSoundFiles

extension PCMFileWriter.Kind {
  /// Creates the format for a file name's suffix; nil if the suffix is unknown.
  package init?(suffix: String) {
    guard let kind = Self.allCases.first(where: { $0.suffixes.contains(suffix) }) else {
      return nil
    }
    self = kind
  }

  /// The suffixes of the format, the default first.
  package var suffixes: [String] {
    switch self {
    case .wav: SoundFileFormat.wav.suffixes
    case .aiff: SoundFileFormat.aiff.suffixes
    case .caf: SoundFileFormat.caf.suffixes
    case .raw: ["raw", "pcm"]
    }
  }

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
