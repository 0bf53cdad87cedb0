/// What is wrong with a text of effects, or why an effect cannot be made.
public struct EffectError: Error, Equatable, Sendable {
  /// What is wrong, as a sentence.
  public let problem: String
  /// What to do about it, as a sentence; empty if the problem says it all.
  public let advice: String

  init(_ problem: String, _ advice: String = "") {
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
