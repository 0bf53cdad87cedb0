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

  /// Rejects standard input as several inputs.
  static func checkStandardInput(in inputs: [String]) throws(UsageError) {
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw UsageError("Standard input (-) can be read only once.")
    }
  }

  /// Rejects an end with a duration, and an end before the start.
  static func checkPart(
    from start: Duration, to end: Duration?, duration: Duration?
  ) throws(UsageError) {
    guard let end else { return }
    if duration != nil {
      throw UsageError("The options --end and --duration exclude each other.")
    }
    if end <= start { throw UsageError("--end must be later than --start.") }
  }

  /// The message and the suggestion in one line.
  var text: String { hint.isEmpty ? message : message + " " + hint }
}
