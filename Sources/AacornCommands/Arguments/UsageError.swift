/// An error in a command line.
struct UsageError: Error, Hashable {
  /// The error as a sentence.
  let message: String
  /// The recovery suggestion as a sentence; empty if none is needed.
  let advice: String

  init(_ message: String, advice: String = "") {
    self.message = message
    self.advice = advice
  }

  /// The message and the suggestion in one line.
  var sentence: String { advice.isEmpty ? message : message + " " + advice }
}
