/// Why an output could not continue.
public struct OutputError: Error, Equatable, Sendable {
  /// The kinds that programs may want to distinguish.
  public enum Kind: String, Sendable {
    /// A file with that name exists.
    case exists
    /// Another program is writing the file with that name.
    case busy
    /// What was written is gone: removed, replaced or truncated by somebody else.
    case lost
    /// The disk is full.
    case diskFull = "disk-full"
    /// It could not be opened or written for another reason.
    case cannotWrite = "cannot-write"
    /// The reader at the other end went away.
    case readerGone = "reader-gone"
    /// It could not keep up with the audio.
    case tooSlow = "too-slow"
    /// The format cannot hold this audio.
    case unsupported
    /// A server cannot be reached, or does not accept the audio.
    case connection
  }

  /// What would help, for programs that tell it in words of their own.
  public enum Remedy: Sendable, CaseIterable {
    /// To replace what exists, or to choose another name.
    case replaceOrRename
    /// To choose another format.
    case otherFormat
    /// To choose M4A.
    case m4a
    /// To choose a lower bitrate, or M4A.
    case lowerBitrateOrM4A
    /// To choose another sampling rate, or M4A.
    case otherRateOrM4A
    /// To choose two channels.
    case twoChannels
  }

  /// The kind.
  public var kind: Kind
  /// What happened, and to which file; without a remedy also what to do.
  public var problem: String
  /// What would help, as far as a program can offer it.
  public var remedy: Remedy?

  /// Creates an error from sentences.
  public init(_ kind: Kind, _ problem: String, remedy: Remedy? = nil) {
    self.kind = kind
    self.problem = problem
    self.remedy = remedy
  }
}

extension OutputError {
  /// What happened, to which file, and what to do, in sentences.
  public var sentence: String { sentence(remedy?.sentence) }

  /// The same with what to do in words of a program's own.
  package func sentence(_ advice: String?) -> String {
    advice.map { "\(problem) \($0)" } ?? problem
  }
}

extension OutputError.Remedy {
  /// What to do, as a sentence.
  package var sentence: String {
    switch self {
    case .replaceOrRename: "Allow it to be replaced, or choose another name."
    case .otherFormat: "Choose another format."
    case .m4a: "Choose M4A."
    case .lowerBitrateOrM4A: "Choose a lower bitrate, or M4A."
    case .otherRateOrM4A: "Choose another sampling rate, or M4A."
    case .twoChannels: "Choose two channels."
    }
  }
}

extension OutputError: CustomStringConvertible {
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}
