import AacornRecording
import AacornSystem

/// What others have done to an output after a run had made it.
enum OutputLoss: Equatable, Sendable {
  /// Nothing has its name.
  case removed
  /// Something else has its name, or it is not what was made.
  case changed
  /// Whether anything has its name cannot be seen.
  case unseen(SystemError)
  /// Whether it is what was made cannot be seen, for the reason that a sentence gives.
  case unreadable(String)

  /// The sentence about it.
  func sentence(of output: String) -> String {
    let name = "“\(displayed(output))”"
    switch self {
    case .removed: return "\(name) was removed by another program after this run had made it."
    case .changed:
      return "\(name) was replaced or changed by another program after this run had made it."
    case .unseen(let error):
      return "\(name) cannot be looked at any more since this run has made it: \(error.text)."
    case .unreadable(let reason):
      return
        "\(name) was touched by another program after this run had made it, and whether it is still the "
        + "same cannot be seen. \(reason)"
    }
  }
}
