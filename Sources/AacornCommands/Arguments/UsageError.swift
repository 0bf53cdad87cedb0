/// An error in a command line, for the person who typed it.
struct UsageError: Error, Hashable {
  /// What is wrong, as a sentence.
  let message: String
  /// What to do about it, as a sentence; empty if the message says it all.
  let advice: String

  init(_ message: String, advice: String = "") {
    self.message = message
    self.advice = advice
  }

  /// Message and advice in one line.
  var sentence: String { advice.isEmpty ? message : message + " " + advice }
}
