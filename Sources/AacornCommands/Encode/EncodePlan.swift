import AacornRecording
import AacornSystem

/// The mapping of inputs to outputs of `aacorn encode`.
typealias EncodePlan = FilePlan<OutputFormat>

extension FilePlan<OutputFormat> {
  /// Creates the plan for a command line.
  init(_ command: EncodeCommand, in console: Console) throws(UsageError) {
    let format = try Self.format(of: command, for: command.output)
    let options = Options(
      of: command, format, suffix: format.rawValue,
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
    let format = try FormatChoice.format(
      command.format, of: output, usual: .m4a, writer: "aacorn writes",
      hint: "Use .m4a, .aac or .latm, or use --format."
    ) { OutputFormat(suffix: FileName.suffix($0)) }
    try check(command, format: format)
    return format
  }

  private static func check(
    _ command: EncodeCommand, format: OutputFormat
  ) throws(UsageError) {
    func hint(_ other: OutputFormat) -> String {
      FormatChoice.hint(
        other.rawValue, output: command.output, isFormatGiven: command.format != nil)
    }
    try reject(
      if: command.hasChecksum && format != .aac, "Only ADTS streams have checksums.",
      hint: hint(.aac))
    let hasTags = !command.tags.isEmpty || command.sound.statesLoudness
    try reject(if: hasTags && format != .m4a, "Only M4A files have tags.", hint: hint(.m4a))
    try SignalingOption.check(command.sound.signaling, in: format)
  }
}
