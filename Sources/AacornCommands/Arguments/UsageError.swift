import AacornSystem

/// An error in a command line.
struct UsageError: Error, Hashable {
  /// The description of the error.
  let message: String
  /// The recovery suggestion; empty if none is needed.
  let hint: String

  init(_ message: String, hint: String = "") {
    self.message = message
    self.hint = hint
  }

  /// Returns the error for a value that an option does not understand.
  static func misunderstood(_ value: String, _ option: String, hint: String) -> UsageError {
    UsageError("\(option) does not understand “\(displayed(value))”.", hint: hint)
  }

  /// The message and the suggestion in one line.
  var text: String { hint.isEmpty ? message : message + " " + hint }
}
