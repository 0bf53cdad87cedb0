import AacornRecording
import AacornSoundFiles
import AacornSystem

/// The mapping of inputs to outputs of `aacorn decode`.
typealias DecodePlan = FilePlan<PCMFileWriter.Kind>

extension FilePlan<PCMFileWriter.Kind> {
  /// Creates the plan for a command line.
  init(_ command: DecodeCommand, in console: Console) throws(UsageError) {
    let kind = try Self.kind(of: command)
    let options = Options(
      output: command.output, outputFolder: command.outputFolder, format: kind,
      suffix: kind.suffixes.first ?? kind.name, verb: "Decode")
    let list = InputList(command.inputs, of: .streams, interruption: console.interruption)
    try self.init(list, options)
  }

  private static func kind(of command: DecodeCommand) throws(UsageError) -> PCMFileWriter.Kind {
    if command.output == "-", let kind = command.kind, kind == .aiff || kind == .caf {
      throw UsageError(
        "Standard output takes WAV or raw samples.", hint: "Name a file with -o.")
    }
    if let kind = command.kind { return kind }
    guard let output = command.output, output != "-",
      (try? System.status(of: output))?.kind != .folder
    else { return .wav }
    let suffix = FileName.suffix(output)
    // A device such as /dev/null has no suffix and accepts any format.
    if suffix.isEmpty { return .wav }
    guard let kind = PCMFileWriter.Kind(suffix: suffix) else {
      throw UsageError(
        "The suffix of “\(displayed(output))” does not match any format that decode writes.",
        hint: "Use .wav, .aiff, .caf or .raw, or use --format.")
    }
    return kind
  }
}
