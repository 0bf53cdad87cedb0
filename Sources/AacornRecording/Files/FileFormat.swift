import AacornSystem

/// The formats of recorded files.
public enum FileFormat: String, Sendable, CaseIterable {
  /// AAC with tags, tables and an exact length.
  case m4a
  /// AAC with ADTS headers: a stream of frames that can be cut at any frame.
  case aac
  /// Samples in a form that every program reads.
  case wav
  /// Samples without a length limit.
  case caf

  /// Creates the format for the suffix of a path; nil if the suffix is unknown.
  public init?(path: String) {
    guard let format = SoundFileFormat(suffix: FileName.suffix(path)) else { return nil }
    self.init(rawValue: format.rawValue)
  }

  /// Whether the format contains uncompressed samples.
  public var isPCM: Bool { self == .wav || self == .caf }
}
