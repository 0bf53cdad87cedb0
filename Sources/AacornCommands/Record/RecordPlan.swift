import AacornContainers
import AacornRecording
import AacornSystem

/// A validated plan of a recording: its input, output and options.
///
/// No device is open yet.
struct RecordPlan: Sendable {
  /// The path of the file; `-` for standard output.
  let path: String
  let format: FileFormat
  let configuration: RecordingConfiguration
  let options: FileOutput.Options
  /// Whether the user has requested the rate, so that a warning about a conversion is unnecessary.
  let choosesRate: Bool
  let choosesChannels: Bool
  /// The names of the device tracks, except the first track.
  let furtherDevices: [String]
  /// The keys that start and stop tracks.
  let trackKeys: TrackKeys
  /// The configuration of the monitor, used when the user switches it on.
  let monitorConfiguration: MonitorConfiguration
  let printsJSON: Bool
  let printsLevels: Bool
  let isVerbose: Bool
  let isQuiet: Bool

  init(_ command: RecordCommand) throws(UsageError) {
    var command = command
    command.sound = try command.sound.resolved().completed
    format = try Self.format(of: command)
    path = Self.path(of: command, format)
    var configuration = try Self.configuration(command, format)
    try command.sound.checkTracks(channelCount: configuration.channelCount)
    var options = FileOutput.Options()
    options.replacesExisting = command.replacesExisting
    options.synchronizes = command.synchronizes
    options.finish = command.finish ?? .automatic
    options.isNumbered = configuration.split != .never && path != "-"
    options.tags = MP4Tags(command.tags, coverImage: [])
    configuration.multitrack = try command.sound.multitrack(
      besides: path == "-" ? nil : path, format, options)
    self.options = options
    self.configuration = configuration
    choosesRate = command.sound.sampleRate != nil
    choosesChannels = command.sound.channelCount != nil
    furtherDevices = command.sound.furtherDevices
    trackKeys = TrackKeys(command.sound.tracks)
    monitorConfiguration = command.sound.monitorConfiguration
    printsJSON = command.printsJSON
    printsLevels = command.printsLevels
    isVerbose = command.isVerbose && !command.isQuiet
    isQuiet = command.isQuiet
    try Self.check(command, format, path)
    try trackKeys.check(isQuiet: isQuiet)
  }

  /// Whether the audio is written to standard output; results then go to standard error.
  var isPiped: Bool { path == "-" }

  /// Returns the paths of the tracks' own files, if there are any.
  func trackPaths(_ sound: SoundChoice) -> [String] {
    guard let multitrack = configuration.multitrack else { return [] }
    return sound.tracks.map { multitrack.path(of: $0.configuration.name) }
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? System.status(of: path))?.kind == .folder
  }

  private static func format(of command: RecordCommand) throws(UsageError) -> FileFormat {
    if let format = command.format { return format }
    guard let output = command.output else { return .m4a }
    // Standard output is a stream, so write a stream format.
    if output == "-" { return .aac }
    // A device such as /dev/null has no suffix and accepts any format.
    if isFolder(output) || FileName.suffix(output).isEmpty { return .m4a }
    guard let format = FileFormat(path: output) else {
      throw UsageError(
        "The suffix of “\(displayed(output))” does not match any format that aacorn records.",
        hint: "Use .m4a, .aac, .wav or .caf, or use --format.")
    }
    return format
  }

  private static func path(of command: RecordCommand, _ format: FileFormat) -> String {
    if let output = command.output, output == "-" || !isFolder(output) { return output }
    let name =
      "recording-\(TimeText.fileName(System.wallNanoseconds)).\(format.rawValue)"
    return FileName.joined(command.output ?? "", name)
  }

  private static func configuration(
    _ command: RecordCommand, _ format: FileFormat
  ) throws(UsageError) -> RecordingConfiguration {
    var configuration = command.sound.configuration
    configuration.duration = command.milliseconds.map { .milliseconds($0) }
    configuration.split = command.split
    configuration.coding =
      format.isPCM
      ? (command.isFloat == true ? .float32 : .int16)
      : try command.sound.coding(for: configuration)
    return configuration
  }

  private static func check(
    _ command: RecordCommand, _ format: FileFormat, _ path: String
  ) throws(UsageError) {
    if format.isPCM && command.sound.preset != nil {
      throw UsageError(
        "Presets are for AAC; \(format.rawValue.uppercased()) contains samples.",
        hint: "Use .m4a or .aac, or omit --preset.")
    }
    let sound = command.sound
    let choosesAAC =
      sound.rateControl != nil || sound.effort != nil || sound.profile != nil
      || sound.signaling != nil
    if format.isPCM && choosesAAC {
      throw UsageError(
        "The options -b, --abr, --vbr, --effort, --profile and --signaling are for AAC; "
          + "\(format.rawValue.uppercased()) contains samples.", hint: "Use .m4a or .aac.")
    }
    if !format.isPCM && command.isFloat != nil {
      throw UsageError(
        "The option --sample-format is for WAV and CAF.", hint: "Use .wav or .caf.")
    }
    if format == .aac { try SignalingOption.check(sound.signaling?.signaling, in: .aac) }
    let hint = FormatHint.text(
      "m4a", output: command.output, isFormatGiven: command.format != nil)
    if command.finish != nil && format != .m4a {
      throw UsageError("The option --finish is for M4A files.", hint: hint)
    }
    if !command.tags.isEmpty && format != .m4a {
      throw UsageError("Only M4A files have tags.", hint: hint)
    }
    if path == "-" {
      if System.isTerminal(System.standardOutput) {
        throw UsageError(
          "Audio cannot be written to the terminal.",
          hint: "Redirect the output, or name a file with -o.")
      }
      if command.split != .never {
        throw UsageError("Standard output cannot be split.", hint: "Name a file.")
      }
    }
    if command.printsLevels && !command.printsJSON {
      throw UsageError("The option --levels needs --json.")
    }
    try command.sound.checkPace(hasLength: command.milliseconds != nil)
    try TrackArguments.checkStarts(
      of: command.sound.tracks, before: command.milliseconds.map { .milliseconds($0) })
  }
}
