import AacornSystem

/// A command that makes a file from each of its inputs.
protocol FileCommand: Subcommand {
  /// The action on an input, such as “Encode”.
  static var verb: String { get }
  var inputs: [String] { get }
  var output: String? { get }
  var outputFolder: String? { get set }
  var replacesExisting: Bool { get set }
  var jobCount: Int? { get set }
  var printsJSON: Bool { get set }
  var isQuiet: Bool { get set }
}

extension FileCommand {
  static var folderOption: CommandSyntax<Self>.Option {
    .path(
      "output-folder", .folder("DIR"),
      "Write into DIR, created if missing, with the subfolders of input folders.",
      "output folder", \.outputFolder)
  }

  static var forceOption: CommandSyntax<Self>.Option {
    .force("Replace existing files.", \.replacesExisting)
  }

  /// Returns the options for processing and reporting; a file is split into at most `partCount`
  /// parts.
  static func otherOptions(partCount: Int) -> [CommandSyntax<Self>.Option] {
    [
      .value(
        "jobs", short: "j", .text("N"),
        "Number of files, or parts of a file (up to \(partCount)), to \(verb.lowercased()) in parallel "
          + "(default: all cores).", \.jobCount, OptionValue.count(upTo: 1024)),
      .flag("json", "Print one JSON object per file.", \.printsJSON),
      .quiet(\.isQuiet),
    ]
  }

  /// Rejects standard input as several inputs, and several options for the output.
  func checkFiles() throws(UsageError) {
    try OptionValue.checkStandardInput(in: inputs)
    try reject(
      if: output != nil && outputFolder != nil,
      "The options -o and --output-folder exclude each other.")
  }

  /// Rejects a report and audio on standard output.
  func checkReport() throws(UsageError) {
    if printsJSON && output == "-" {
      throw UsageError("The options --json and -o - both need standard output.")
    }
  }
}
