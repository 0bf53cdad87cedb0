/// An error in a textual form, or the reason why an effect cannot be created.
public struct EffectError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The kinds of errors that programs may need to distinguish.
  public enum Kind: Equatable, Sendable {
    /// The description is invalid: an unknown effect or parameter, an invalid value, or an
    /// unsupported audio format.
    ///
    /// The user must change the text.
    case invalidDescription
    /// A dependency is missing: a library or memory.
    ///
    /// The text may be valid on another computer, or later.
    case missing
  }

  /// The kind of the error.
  public let kind: Kind
  /// The problem, as a message.
  public let problem: String
  /// The recovery suggestion, as a message; empty if the problem includes it.
  public let recoverySuggestion: String

  init(_ problem: String, _ advice: String = "", kind: Kind = .invalidDescription) {
    self.kind = kind
    self.problem = problem
    self.recoverySuggestion = advice
  }

  static let tooMany = EffectError(
    "A chain can have at most \(EffectDescription.maxEffectCount) effects.", "Remove some of them.")

  /// The message, so that printing the error is useful.
  public var description: String { message }

  /// The problem and the recovery suggestion.
  public var message: String {
    recoverySuggestion.isEmpty ? problem : problem + " " + recoverySuggestion
  }
}
