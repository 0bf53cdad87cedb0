import AacornRecording
import AacornSystem

/// Maps inputs to outputs, decided before anything is written.
struct EncodePlan: Sendable {
  /// One file to create.
  struct Item: Equatable, Sendable {
    let source: SoundOrigin
    /// The path of the output; `-` for standard output.
    let output: String
    let format: OutputFormat
  }

  /// The files to create, in the order of the inputs.
  private(set) var items: [Item] = []
  /// Inputs that cannot be processed, each with its name.
  private(set) var failures: [(input: String, failure: CommandFailure)] = []
  /// Files in folders that hold sound or video and are not read.
  private(set) var leftOut: [InputList.Entry] = []

  init(_ command: EncodeCommand, in console: Console) throws(UsageError) {
    var sources: [(source: SoundOrigin, subfolder: String)] = []
    if let milliseconds = command.toneMilliseconds {
      sources.append((.tone(milliseconds: milliseconds), ""))
    } else {
      let list = InputList(command.inputs, interruption: console.interruption)
      failures = list.failures.map { ($0.path, $0.failure) }
      leftOut = list.leftOut
      sources = list.entries.map { entry in
        (entry.path == "-" ? .standardInput : .file(entry.path), entry.subfolder)
      }
    }
    var command = command
    if let output = command.output, output != "-", Self.isFolder(output) {
      command.outputFolder = output
      command.output = nil
    }
    if let output = command.output, sources.count > 1 {
      throw UsageError(
        "\(sources.count) inputs cannot all become “\(displayed(output))”.",
        advice: "Use --output-folder for several files.")
    }
    let format = try Self.format(of: command)
    try Self.check(command, format: format)
    items = try sources.map { (source, subfolder) throws(UsageError) in
      let output = try Self.output(for: source, subfolder, format, command)
      return Item(source: source, output: output, format: format)
    }
    try refuseEqualOutputs()
    // What is made, or was made before, is not what was left out.
    let outputs = Set(items.map { FileName.canonical($0.output) })
    leftOut.removeAll { outputs.contains(FileName.canonical($0.path)) }
    refuseOutputsOverInputs(coverPath: command.tags.coverPath)
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? System.status(of: path))?.kind == .folder
  }

  private static func format(of command: EncodeCommand) throws(UsageError) -> OutputFormat {
    if let format = command.format { return format }
    guard let output = command.output, output != "-" else { return .m4a }
    let suffix = FileName.suffix(output)
    // A device such as /dev/null has no suffix and accepts everything.
    if suffix.isEmpty { return .m4a }
    guard let format = OutputFormat(suffix: suffix) else {
      throw UsageError(
        "The suffix of “\(displayed(output))” does not match any format that aacorn writes.",
        advice: "Use .m4a, .aac or .latm, or use --format.")
    }
    return format
  }

  private static func check(
    _ command: EncodeCommand, format: OutputFormat
  ) throws(UsageError) {
    if command.hasChecksum && format != .aac {
      throw UsageError("Only ADTS streams have checksums.", advice: "Add --format aac.")
    }
    if !command.tags.isEmpty && format != .m4a {
      throw UsageError("Only M4A files have tags.", advice: "Add --format m4a.")
    }
    if command.output == "-" && System.isTerminal(System.standardOutput) {
      throw UsageError(
        "The sound would go to the terminal.",
        advice: "Redirect the output, or name a file with -o.")
    }
  }

  private static func output(
    for source: SoundOrigin, _ subfolder: String, _ format: OutputFormat, _ command: EncodeCommand
  ) throws(UsageError) -> String {
    if let output = command.output { return output }
    let name: String
    switch source {
    case .file(let path): name = FileName.replacingSuffix(path, with: format.rawValue)
    case .tone: name = "tone." + format.rawValue
    case .standardInput:
      throw UsageError(
        "Standard input has no name to derive the output's name from.",
        advice: "Use -o FILE, or -o - for standard output.")
    }
    guard let folder = command.outputFolder else { return name }
    let inside = subfolder.isEmpty ? folder : FileName.joined(folder, subfolder)
    return FileName.joined(inside, FileName.last(name))
  }

  /// Two inputs such as `a.wav` and `a.aiff` must not become the same file.
  private func refuseEqualOutputs() throws(UsageError) {
    var inputs: [String: String] = [:]
    for item in items where item.output != "-" {
      let key = FileName.canonical(item.output)
      if let other = inputs[key] {
        throw UsageError(
          "“\(displayed(other))” and “\(displayed(item.source.name))” would both become "
            + "“\(displayed(item.output))”.",
          advice: "Encode them one by one, with -o, or rename one.")
      }
      inputs[key] = item.source.name
    }
  }

  /// No output may be a file that is read, not even for another output or with --force.
  private mutating func refuseOutputsOverInputs(coverPath: String?) {
    let inputs = items.compactMap { item in
      switch item.source {
      case .file(let path): path
      case .standardInput: "-"
      case .tone: nil
      }
    }
    let sources = SourceFiles(inputs + [coverPath].compactMap(\.self))
    var kept: [Item] = []
    for item in items {
      if sources.contains(item.output) {
        failures.append((item.source.name, .isInput(item.output, option: "-o")))
      } else {
        kept.append(item)
      }
    }
    items = kept
  }
}
