import AacornCodec
import AacornContainers
import AacornRecording
import AacornSystem

extension LivePlan.File {
  init(_ command: RecordCommand) throws(UsageError) {
    format = try Self.format(of: command)
    path = Self.path(of: command, format)
    options = FileOutput.Options()
    options.replacesExisting = command.replacesExisting
    options.synchronizes = command.synchronizes
    options.finish = command.finish ?? .automatic
    options.isNumbered = command.split != .never && path != "-"
    options.tags = command.tags
    options.tags.encoder = AacornVersion.encoderTag
  }

  private static func format(of command: RecordCommand) throws(UsageError) -> FileFormat {
    // Standard output is a stream, so write a stream format.
    if command.output == "-" { return command.format ?? .aac }
    return try FormatChoice.format(
      command.format, of: command.output, defaultFormat: .m4a, writer: "aacorn records",
      suffixes: ".m4a, .aac, .wav or .caf"
    ) { FileFormat(path: $0) }
  }

  private static func path(of command: RecordCommand, _ format: FileFormat) -> String {
    if let output = command.output, output == "-" || !FormatChoice.isFolder(output) {
      return output
    }
    let name =
      "recording-\(TimeText.fileName(System.wallNanoseconds)).\(format.rawValue)"
    return FileName.joined(command.output ?? "", name)
  }
}

extension LivePlan {
  /// Returns the paths of the tracks' own files, if there are any.
  var trackPaths: [String] {
    guard let multitrack = configuration.multitrack else { return [] }
    return sound.tracks.map { multitrack.path(of: $0.configuration.name) }
  }

  static func configuration(
    _ command: RecordCommand, _ format: FileFormat
  ) throws(UsageError) -> RecordingConfiguration {
    var configuration = command.sound.configuration
    configuration.duration = command.duration
    configuration.split = command.split
    configuration.coding =
      format.isPCM
      ? (command.isFloat == true ? .float32 : .int16)
      : try command.sound.coding(for: configuration)
    return configuration
  }

  /// Rejects contradictory options.
  static func check(_ command: RecordCommand, _ recording: File) throws(UsageError) {
    let format = recording.format
    try reject(
      if: format.isPCM && command.sound.encoding.preset != nil,
      "Presets are for AAC; \(format.rawValue.uppercased()) contains samples.",
      hint: "Use .m4a or .aac, or omit --preset.")
    let encoding = command.sound.encoding
    let choosesAAC =
      encoding.rateControl != nil || encoding.effort != nil || encoding.profile != nil
      || encoding.signaling != nil
    try reject(
      if: format.isPCM && choosesAAC,
      "The options -b, --abr, --vbr, --effort, --profile and --signaling are for AAC; "
        + "\(format.rawValue.uppercased()) contains samples.", hint: "Use .m4a or .aac.")
    try reject(
      if: !format.isPCM && command.isFloat != nil, "The option --sample-format is for WAV and CAF.",
      hint: "Use .wav or .caf.")
    if format == .aac { try SignalingOption.check(encoding.signaling?.signaling, in: .aac) }
    let hint = FormatChoice.hint(
      "m4a", output: command.output, isFormatGiven: command.format != nil)
    try reject(
      if: command.finish != nil && format != .m4a, "The option --finish is for M4A files.",
      hint: hint)
    try reject(if: command.tags.hasTexts && format != .m4a, "Only M4A files have tags.", hint: hint)
    if recording.isPiped {
      try FormatChoice.checkTerminal()
      try reject(
        if: command.split != .never, "Standard output cannot be split.", hint: "Name a file.")
    }
    try reject(
      if: command.report.printsLevels && !command.report.printsJSON,
      "The option --levels needs --json.")
    try command.sound.checkTimes(until: command.duration)
  }
}
