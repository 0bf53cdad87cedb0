/// Why a file could not be encoded, decoded, inspected or written.
public struct AACFileError: Error, Equatable, Sendable {
  /// The kinds that programs may want to distinguish.
  public enum Kind: Equatable, Sendable {
    /// The input does not exist or may not be read.
    case cannotRead
    /// The output could not be written.
    case cannotWrite
    /// A file with the output's name already exists, or is the input.
    case exists
    /// Another program is writing the file with the output's name.
    case busy
    /// The input can be read but is invalid.
    case badInput
    /// The input is valid, but the encoder, the format or a setting does not support it.
    case unsupported
    /// An effect cannot be made, because of what is written or of what is missing.
    case effects(EffectError.Kind)
    /// The system has no threads left.
    case noThread
    /// The end was requested: the task was canceled, or the reader of the output went away.
    case interrupted
  }

  /// The kind.
  public let kind: Kind
  /// What is wrong, and with which file, as a sentence.
  public let problem: String
  /// What to do about it.
  public let advice: Advice
  /// The signal that requested the end, if one did.
  package let signal: Int32?

  /// Creates an error.
  public init(_ kind: Kind, _ problem: String, _ advice: Advice = .none) {
    self.kind = kind
    self.problem = problem
    self.advice = advice
    signal = nil
  }

  /// The error for an end requested by a signal.
  package init(signal: Int32, _ problem: String = "Interrupted.") {
    kind = .interrupted
    self.problem = problem
    advice = .none
    self.signal = signal
  }

  /// The problem, and in general words what to do about it.
  public var sentence: String { sentence(advising: advice.words) }

  /// The problem with advice in words of the caller's own; empty if there is none.
  package func sentence(advising words: String) -> String {
    words.isEmpty ? problem : problem + " " + words
  }
}

extension AACFileError: CustomStringConvertible {
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}
