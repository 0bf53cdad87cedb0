/// What is wrong with a text of effects, or why an effect cannot be made.
public struct EffectError: Error, Equatable, Sendable {
  /// The kinds that programs may want to distinguish.
  public enum Kind: Equatable, Sendable {
    /// What is written cannot be: there is no such effect, parameter or port, it does not have such a
    /// value, or it does not fit the sound. Other words help.
    case mistake
    /// What is written may be right, but what it needs is not here: a file with plugins, a plugin in
    /// it, a library, memory. It may work elsewhere, or later.
    case missing
  }

  /// The kind.
  public let kind: Kind
  /// What is wrong, as a sentence.
  public let problem: String
  /// What to do about it, as a sentence; empty if the problem says it all.
  public let advice: String

  init(_ problem: String, _ advice: String = "", kind: Kind = .mistake) {
    self.kind = kind
    self.problem = problem
    self.advice = advice
  }

  /// More effects than a chain may have.
  static let tooMany = EffectError(
    "These are more than \(EffectDescription.mostEffects) effects.", "Leave some of them out.")

  /// Problem and advice.
  public var sentence: String { advice.isEmpty ? problem : problem + " " + advice }
}

extension EffectError: CustomStringConvertible {
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}
