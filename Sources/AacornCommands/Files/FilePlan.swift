import AacornRecording
import AacornSystem

/// A mapping of inputs to outputs, complete before anything is written.
struct FilePlan<Format: Equatable & Sendable>: Sendable {
  /// A file to create.
  struct Item: Equatable, Sendable {
    let source: SoundOrigin
    /// The path of the output; `-` for standard output.
    let output: String
    let format: Format
    /// Whether the source was found in a folder, rather than named directly.
    var isFound = false
    /// Whether an existing output is replaced, because its source has changed.
    var isRenewed = false
  }

  /// The options about outputs.
  struct Options {
    /// The path of the only output; `-` for standard output.
    var output: String?
    var outputFolder: String?
    let format: Format
    /// The suffix of outputs named after inputs.
    let suffix: String
    /// The action on the inputs, such as “Encode”, for hints.
    let verb: String
    /// The files that are read in addition to the inputs.
    let otherInputs: [String]

    init<Command: FileCommand>(
      of command: Command, _ format: Format, suffix: String, otherInputs: [String] = []
    ) {
      (output, outputFolder) = (command.output, command.outputFolder)
      (self.format, self.suffix, self.otherInputs) = (format, suffix, otherInputs)
      verb = Command.verb
    }
  }

  /// The files to create, in the order of the inputs.
  private(set) var items: [Item] = []
  /// The inputs that cannot be processed, with their errors.
  private(set) var failures: [(input: String, failure: CommandFailure)] = []
  /// The formats searched for in folders, for messages.
  private(set) var searchedFormats = ""
  /// The files and folders in folders that are skipped.
  private(set) var skipped: [SkippedEntry] = []

  init(_ list: InputList, _ options: Options) throws(UsageError) {
    failures = list.failures.map { ($0.path, $0.failure) }
    searchedFormats = list.searchedFormats
    skipped = list.skipped
    try add(
      list.entries.map { entry in
        (entry.path == "-" ? .standardInput : .file(entry.path), entry.subfolder, entry.isFound)
      }, options)
    // Do not report the outputs, which may exist from an earlier run, as skipped inputs.
    let outputs = Set(items.map { FileName.canonical($0.output) })
    skipped.removeAll { outputs.contains(FileName.canonical($0.entry.path)) }
    skipped = skipped.map { $0.examined(list.interruption) }
  }

  /// Creates the plan for the built-in tone.
  init(toneMilliseconds milliseconds: Int, _ options: Options) throws(UsageError) {
    try add([(.tone(milliseconds: milliseconds), subfolder: "", isFound: false)], options)
  }

  /// Adds the outputs for sources, with their places in named folders.
  private mutating func add(
    _ sources: [(origin: SoundOrigin, subfolder: String, isFound: Bool)], _ options: Options
  ) throws(UsageError) {
    var options = options
    if let output = options.output, output != "-", FormatChoice.isFolder(output) {
      options.outputFolder = output
      options.output = nil
    }
    if let output = options.output, sources.count > 1 {
      throw UsageError(
        output == "-"
          ? "Standard output takes one input only."
          : "\(sources.count) inputs cannot all be written to “\(displayed(output))”.",
        hint: "Use --output-folder for several files.")
    }
    if options.output == "-" { try FormatChoice.checkTerminal() }
    items = try sources.map { (source) throws(UsageError) in
      let output = try Self.output(for: source.origin, source.subfolder, options)
      return Item(
        source: source.origin, output: output, format: options.format, isFound: source.isFound)
    }
    refuseEqualOutputs(options.verb)
    refuseOutputsOverInputs(options.otherInputs)
  }

  private static func output(
    for source: SoundOrigin, _ subfolder: String, _ options: Options
  ) throws(UsageError) -> String {
    if let output = options.output { return output }
    let name: String
    switch source {
    case .file(let path): name = FileName.replacingSuffix(path, with: options.suffix)
    case .tone: name = "tone." + options.suffix
    case .standardInput:
      throw UsageError(
        "Standard input has no name to derive the output's name from.",
        hint: "Use -o FILE, or -o - for standard output.")
    }
    guard let folder = options.outputFolder else { return name }
    let destination = subfolder.isEmpty ? folder : FileName.joined(folder, subfolder)
    return FileName.joined(destination, FileName.last(name))
  }

  /// Rejects all inputs that share an output, such as `a.wav` and `a.aiff`.
  private mutating func refuseEqualOutputs(_ verb: String) {
    var itemIndexes: [String: [Int]] = [:]
    for (index, item) in items.enumerated() where item.output != "-" {
      itemIndexes[FileName.canonical(item.output), default: []].append(index)
    }
    let rivals = itemIndexes.values.filter { $0.count > 1 }
    if rivals.isEmpty { return }
    // The message for the first input names the second one; the messages for the other inputs name
    // the first.
    var others: [Int: Int] = [:]
    for indices in rivals {
      for index in indices { others[index] = index == indices[0] ? indices[1] : indices[0] }
    }
    for (index, item) in items.enumerated() {
      guard let other = others[index] else { continue }
      let (input, rival) = (item.source.name, items[other].source.name)
      let failure = CommandFailure(
        .unsupported,
        "“\(displayed(input))” and “\(displayed(rival))” would both be written to "
          + "“\(displayed(item.output))”.",
        suggestion: .text("\(verb) them one by one, with -o, or rename one."))
      failures.append((input, failure))
    }
    items = items.indices.filter { others[$0] == nil }.map { items[$0] }
  }

  /// Rejects outputs that would overwrite any input, even with --force.
  private mutating func refuseOutputsOverInputs(_ otherInputs: [String]) {
    let inputs = items.compactMap { item in
      switch item.source {
      case .file(let path): path
      case .standardInput: "-"
      case .tone: nil
      }
    }
    let sources = SourceFiles(inputs + otherInputs)
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
