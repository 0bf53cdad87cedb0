/// An error in a command line.
struct UsageError: Error, Hashable {
  /// The description of the error.
  let message: String
  /// The recovery suggestion; empty if none is needed.
  let advice: String

  init(_ message: String, advice: String = "") {
    self.message = message
    self.advice = advice
  }

  /// The message and the suggestion in one line.
  var sentence: String { advice.isEmpty ? message : message + " " + advice }
}
