import AACCodec
import AACContainers
import Platform
import Recording

/// What is to be recorded and where to, settled before a device is opened.
struct RecordPlan: Sendable {
  /// The path of the file; `-` for standard output.
  let path: String
  let format: FileFormat
  let configuration: RecordingConfiguration
  let options: FileOutput.Options
  /// Whether rate and channels were asked for, so that nobody need be warned of them.
  let choosesRate: Bool
  let choosesChannels: Bool
  let printsJSON: Bool
  let printsLevels: Bool
  let isVerbose: Bool
  let isQuiet: Bool

  init(_ command: RecordCommand) throws(UsageError) {
    format = try Self.format(of: command)
    path = Self.path(of: command, format)
    configuration = try Self.configuration(command, format)
    var options = FileOutput.Options()
    options.replacesExisting = command.replacesExisting
    options.synchronizes = command.synchronizes
    options.isNumbered = configuration.split != .never && path != "-"
    options.tags = MP4Tags(command.tags, coverImage: [])
    self.options = options
    choosesRate = command.sampleRate != nil
    choosesChannels = command.channelCount != nil
    printsJSON = command.printsJSON
    printsLevels = command.printsLevels
    isVerbose = command.isVerbose && !command.isQuiet
    isQuiet = command.isQuiet
    try Self.check(command, format, path)
  }

  /// Whether the sound goes where results would go.
  var isPiped: Bool { path == "-" }

  private static func isFolder(_ path: String) -> Bool {
    (try? System.status(of: path))?.kind == .folder
  }

  private static func format(of command: RecordCommand) throws(UsageError) -> FileFormat {
    if let format = command.format { return format }
    guard let output = command.output else { return .m4a }
    // What is read as a stream must be written as one.
    if output == "-" { return .aac }
    // A device such as /dev/null has no suffix and takes everything.
    if isFolder(output) || FileName.suffix(output).isEmpty { return .m4a }
    guard let format = FileFormat(path: output) else {
      throw UsageError(
        "The suffix of “\(displayed(output))” stands for no format that aacorn records.",
        advice: "Use .m4a, .aac, .wav or .caf, or say --format.")
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
    let mapped = command.channelMap.isEmpty ? nil : command.channelMap.count
    var configuration = RecordingConfiguration(
      sampleRate: command.sampleRate ?? 44_100,
      channelCount: command.channelCount ?? mapped ?? 2)
    configuration.channelMap = command.channelMap
    configuration.gain = Gain.factor(decibels: command.gain)
    configuration.isMuted = command.isMuted
    configuration.milliseconds = command.milliseconds
    configuration.split = command.split
    configuration.followsWallClock = command.followsWallClock
    if format.isPCM {
      configuration.coding = command.isFloat == true ? .float32 : .int16
      return configuration
    }
    let effort = command.effort ?? .balanced
    let rateControl = try rateControl(command, configuration, effort)
    configuration.coding = .aac(rateControl: rateControl, effort: effort)
    return configuration
  }

  /// The rate that was asked for, if the encoder takes it, or else 96 kb/s, and for more than two
  /// channels as much as two have of that, within what the sampling rate allows.
  private static func rateControl(
    _ command: RecordCommand, _ configuration: RecordingConfiguration, _ effort: Encoder.Effort
  ) throws(UsageError) -> Encoder.RateControl {
    let usual = 48_000 * max(2, configuration.channelCount)
    let rateControl = command.rateControl ?? .constant(bitsPerSecond: usual)
    do throws(EncoderError) {
      _ = try Encoder(
        Encoder.Configuration(
          sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
          rateControl: rateControl, effort: effort))
      return rateControl
    } catch {
      if command.rateControl == nil, case .bitrateOutOfRange(_, let lowest, let highest) = error {
        return .constant(bitsPerSecond: min(max(usual, lowest), highest))
      }
      throw UsageError(RecordingError.encoder(error).sentence)
    }
  }

  private static func check(
    _ command: RecordCommand, _ format: FileFormat, _ path: String
  ) throws(UsageError) {
    if format.isPCM && (command.rateControl != nil || command.effort != nil) {
      throw UsageError(
        "The options -b, --abr, --vbr and --effort are for AAC; "
          + "\(format.rawValue.uppercased()) holds samples.", advice: "Use .m4a or .aac.")
    }
    if !format.isPCM && command.isFloat != nil {
      throw UsageError("The option --bits is for WAV and CAF.", advice: "Use .wav or .caf.")
    }
    if !command.tags.isEmpty && format != .m4a {
      throw UsageError("Only M4A files have tags.", advice: "Add --format m4a.")
    }
    if path == "-" {
      if System.isTerminal(System.standardOutput) {
        throw UsageError(
          "Sound would go to the terminal.",
          advice: "Redirect the output, or name a file with -o.")
      }
      if command.split != .never {
        throw UsageError("Standard output cannot be split.", advice: "Name a file.")
      }
    }
    if command.printsLevels && !command.printsJSON {
      throw UsageError("The option --levels needs --json.")
    }
    if command.isUnpaced {
      if !RecordSource.isSynthetic(command) {
        throw UsageError("Only built-in sounds can be --unpaced.", advice: "Try --device tone.")
      }
      if command.milliseconds == nil && !(command.device ?? "").hasPrefix("file:") {
        throw UsageError("A built-in sound never ends.", advice: "Say how long, such as -d 10s.")
      }
    }
  }
}
