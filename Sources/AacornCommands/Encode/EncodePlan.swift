import AacornRecording
import AacornSystem

/// The mapping of inputs to outputs of `aacorn encode`.
typealias EncodePlan = FilePlan<OutputFormat>

extension FilePlan<OutputFormat> {
  /// Creates the plan for a command line.
  init(_ command: EncodeCommand, in console: Console) throws(UsageError) {
    let format = try Self.format(of: command, for: command.output)
    let options = Options(
      output: command.output, outputFolder: command.outputFolder, format: format,
      suffix: format.rawValue, verb: "Encode",
      otherInputs: [command.tags.coverPath].compactMap(\.self))
    if let milliseconds = command.toneMilliseconds {
      try self.init(toneMilliseconds: milliseconds, options)
    } else {
      let list = InputList(command.inputs, interruption: console.interruption)
      try self.init(list, options)
    }
  }

  /// Returns the format of an output, from the option or from the suffix.
  ///
  /// Throws if other options conflict with it.
  static func format(
    of command: EncodeCommand, for output: String?
  ) throws(UsageError) -> OutputFormat {
    let format = try format(of: output, asked: command.format)
    try check(command, format: format)
    return format
  }

  private static func format(
    of output: String?, asked: OutputFormat?
  ) throws(UsageError) -> OutputFormat {
    if let asked { return asked }
    guard let output, output != "-", (try? System.status(of: output))?.kind != .folder
    else { return .m4a }
    let suffix = FileName.suffix(output)
    // A device such as /dev/null has no suffix and accepts any format.
    if suffix.isEmpty { return .m4a }
    guard let format = OutputFormat(suffix: suffix) else {
      throw UsageError(
        "The suffix of “\(displayed(output))” does not match any format that aacorn writes.",
        hint: "Use .m4a, .aac or .latm, or use --format.")
    }
    return format
  }

  private static func check(
    _ command: EncodeCommand, format: OutputFormat
  ) throws(UsageError) {
    func hint(_ other: OutputFormat) -> String {
      FormatHint.text(
        other.rawValue, output: command.output, isFormatGiven: command.format != nil)
    }
    if command.hasChecksum && format != .aac {
      throw UsageError("Only ADTS streams have checksums.", hint: hint(.aac))
    }
    let hasTags = !command.tags.isEmpty || command.sound.statesLoudness
    if hasTags && format != .m4a {
      throw UsageError("Only M4A files have tags.", hint: hint(.m4a))
    }
    try SignalingOption.check(command.sound.signaling, in: format)
  }
}
