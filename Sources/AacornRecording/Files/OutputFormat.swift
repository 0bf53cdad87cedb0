import AacornContainers

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
    guard let format = SoundFileFormat(suffix: suffix) else { return nil }
    self.init(rawValue: format.rawValue)
  }

  /// The suffixes of the format, the default first.
  package var suffixes: [String] { SoundFileFormat(rawValue: rawValue)?.suffixes ?? [] }

  /// The format of a writer.
  var writerFormat: CodedFileWriter.Format {
    switch self {
    case .m4a: .m4a
    case .aac: .adts()
    case .latm: .latm
    }
  }
}
