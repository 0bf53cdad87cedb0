/// The formats of recorded files.
public enum FileFormat: String, Sendable, CaseIterable {
  /// AAC with tags, tables and an exact length.
  case m4a
  /// AAC with ADTS headers: a stream of frames that can be cut anywhere.
  case aac
  /// Samples in a form that every program reads.
  case wav
  /// Samples without a length limit.
  case caf

  /// The format for the suffix of a path.
  public init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "m4a", "mp4", "m4b": self = .m4a
    case "aac", "adts": self = .aac
    case "wav", "wave": self = .wav
    case "caf": self = .caf
    default: return nil
    }
  }

  /// Whether it holds uncompressed samples.
  public var isPCM: Bool { self == .wav || self == .caf }
}
