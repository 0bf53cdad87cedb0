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
    case .removed: return "Another program removed \(name) after this run had written it."
    case .changed:
      return "Another program replaced or changed \(name) after this run had written it."
    case .unseen(let error):
      return "\(name) could not be checked after this run had written it: \(error.text)."
    case .unreadable(let reason):
      return
        "\(name) was modified by another program after this run had written it, and its content could "
        + "not be checked. \(reason)"
    }
  }
}
