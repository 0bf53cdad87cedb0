package import AacornContainers
import AacornSystem

extension AACFileError {
  /// Creates the error for a container that cannot be written.
  package init(_ error: ContainerError, path: String) {
    self.init(
      .unsupported, "Cannot write “\(displayed(path))”: \(error.problem)",
      error.recoveryAction.map { RecoverySuggestion.recoveryAction($0) } ?? RecoverySuggestion.none)
  }
}
