import AacornRecording
import AacornSystem

/// The damage that other programs have done to an output after a run made it.
enum OutputLoss: Equatable, Sendable {
  /// The file does not exist.
  case removed
  /// The file was replaced or changed.
  case changed
  /// The existence of the file cannot be checked.
  case uncheckable(SystemError)
  /// The content of the file cannot be checked; the message states the reason.
  case unreadable(String)

  /// Returns the message about the loss.
  func message(of output: String) -> String {
    let name = "“\(displayed(output))”"
    switch self {
    case .removed: return "Another program removed \(name) after this run had written it."
    case .changed:
      return "Another program replaced or changed \(name) after this run had written it."
    case .uncheckable(let error):
      return "\(name) could not be checked after this run had written it: \(error.text)."
    case .unreadable(let reason):
      return
        "\(name) was modified by another program after this run had written it, and its content could "
        + "not be checked. \(reason)"
    }
  }
}
