package import AacornSystem

/// The reason why a file could not be encoded, decoded, inspected or written.
public struct AACFileError: Error, Equatable, Sendable {
  /// The kinds of errors that programs may need to distinguish.
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
    /// An effect cannot be created, because its description is invalid or a dependency is missing.
    case effects(EffectError.Kind)
    /// The system has no threads left.
    case noThread
    /// The end was requested: the task was canceled, or the reader of the output was closed.
    case interrupted
  }

  /// The kind of the error.
  public let kind: Kind
  /// The problem and the file, as a message.
  public let problem: String
  /// The recovery suggestion.
  public let recoverySuggestion: RecoverySuggestion
  /// The signal that requested the end; nil without one.
  package let signal: Int32?
  /// The system's error; nil without one.
  package internal(set) var systemError: SystemError?

  /// Creates an error without a signal.
  public init(_ kind: Kind, _ problem: String, _ advice: RecoverySuggestion = .none) {
    self.kind = kind
    self.problem = problem
    self.recoverySuggestion = advice
    signal = nil
  }

  /// Creates the error for an end requested by a signal.
  package init(signal: Int32, _ problem: String = "Interrupted.") {
    kind = .interrupted
    self.problem = problem
    recoverySuggestion = .none
    self.signal = signal
  }

  /// The problem and the general recovery suggestion.
  public var message: String { message(advising: recoverySuggestion.description) }

  /// Returns the problem with the caller's recovery suggestion, which may be empty.
  package func message(advising suggestion: String) -> String {
    suggestion.isEmpty ? problem : problem + " " + suggestion
  }
}

extension AACFileError: CustomStringConvertible {
  /// The message, so that printing the error is useful.
  public var description: String { message }
}
