package import AacornContainers
import AacornSystem

extension AACFileError {
  /// Why a container cannot be written.
  package init(_ error: ContainerError, path: String) {
    self.init(
      .unsupported, "Cannot write “\(displayed(path))”: \(error.problem)",
      error.remedy.map { Advice($0) } ?? Advice.none)
  }
}

extension AACFileError.Advice {
  /// What would help with a file that its container cannot hold.
  init(_ remedy: OutputError.Remedy) {
    switch remedy {
    case .replaceOrRename: self = .replaceExisting
    case .otherFormat, .m4a: self = .chooseM4A
    case .lowerBitrateOrM4A: self = .chooseLowerBitrateOrM4A
    case .otherRateOrM4A: self = .chooseRateOrM4A
    case .twoChannels: self = .chooseChannelCount([2])
    }
  }
}
