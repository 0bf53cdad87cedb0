/// The reason why an output could not continue.
public struct OutputError: Error, Equatable, Sendable {
  /// The kinds of errors that programs may need to distinguish.
  public enum Kind: String, Sendable {
    /// A file with that name exists.
    case exists
    /// Another program is writing the file with this name.
    case busy
    /// Written data was removed, replaced or truncated by another program.
    case lost
    /// The disk is full.
    case diskFull = "disk-full"
    /// The output could not be opened or written for another reason.
    case cannotWrite = "cannot-write"
    /// The program that read the output has closed it, or no program reads the output.
    case readerGone = "reader-gone"
    /// The output could not keep up with the audio.
    case tooSlow = "too-slow"
    /// The format does not support this audio.
    case unsupported
    /// A server cannot be reached, or does not accept the audio.
    case connection
  }

  /// A remedy, for programs with their own texts.
  public enum RecoveryAction: Sendable, CaseIterable {
    /// Replace the existing file, or choose another name.
    case replaceOrRename
    /// Choose another format.
    case otherFormat
    /// Choose M4A.
    case m4a
    /// Choose a lower bitrate, or M4A.
    case lowerBitrateOrM4A
    /// Choose another sampling rate, or M4A.
    case otherRateOrM4A
    /// Choose two channels.
    case twoChannels
  }

  /// The kind of the error.
  public var kind: Kind
  /// The problem and the file; if ``recoveryAction`` is nil, also the recovery suggestion.
  public var problem: String
  /// The remedy, if a program can offer one.
  public var recoveryAction: RecoveryAction?

  /// Creates an error from complete messages.
  public init(_ kind: Kind, _ problem: String, recoveryAction: RecoveryAction? = nil) {
    self.kind = kind
    self.problem = problem
    self.recoveryAction = recoveryAction
  }
}

extension OutputError {
  /// The problem, the file and the recovery suggestion, as a message.
  public var message: String { message(recoveryAction?.suggestion) }

  package func message(_ recoverySuggestion: String?) -> String {
    recoverySuggestion.map { "\(problem) \($0)" } ?? problem
  }
}

extension OutputError.RecoveryAction {
  /// The recovery suggestion, as a sentence.
  package var suggestion: String {
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
  /// The message, so that printing the error is useful.
  public var description: String { message }
}
