package import AacornContainers
import AacornSystem

extension AACFileError {
  /// Creates the error for a container that cannot be written.
  package init(_ error: ContainerError, path: String) {
    self.init(
      .unsupported, "Cannot write “\(displayed(path))”: \(error.problem)",
      error.remedy.map { Advice.remedy($0) } ?? Advice.none)
  }
}
