import AacornRecording
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

  /// Returns the options for processing and reporting; `partCount` is the maximum number of parts
  /// into which a file is split, or nil if files are not split.
  static func otherOptions(partCount: Int? = nil) -> [CommandSyntax<Self>.Option] {
    let parts = partCount.map { ", or parts of a file (up to \($0))," } ?? ""
    return [
      .value(
        "jobs", short: "j", .text("N"),
        "Number of files\(parts) to \(verb.lowercased()) in parallel (default: all cores).",
        \.jobCount, OptionValue.integer(in: 1...1024)),
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

/// The choice of a file format by the option `--format` or by the name of the output.
enum FormatChoice {
  /// Returns the format, or `defaultFormat` for an output whose name does not state one.
  ///
  /// Throws if the suffix is for another format than the given one. `suffixes` lists the suffixes of
  /// all formats; `named` returns the format of a path. `writer` is the subject and the verb of
  /// the error about an unknown suffix.
  static func format<Format: Equatable>(
    _ given: Format?, of output: String?, defaultFormat: Format, writer: String, suffixes: String,
    named: (_ path: String) -> Format?
  ) throws(UsageError) -> Format {
    // A device such as /dev/null has no suffix and accepts any format.
    guard let output, isNamed(output), !FileName.suffix(output).isEmpty else {
      return given ?? defaultFormat
    }
    let stated = named(output)
    // Other suffixes, such as .part, do not promise a format.
    let isMisleading = stated != nil || SoundSuffixes.all.contains(FileName.suffix(output))
    guard let given else {
      if let stated { return stated }
      throw UsageError(
        "The suffix of “\(displayed(output))” does not match any format that \(writer).",
        hint: "Use \(suffixes)" + (isMisleading ? "." : ", or use --format."))
    }
    if isMisleading, stated != given {
      throw UsageError(
        "The suffix of “\(displayed(output))” is for another format than --format.",
        hint: stated == nil ? "Use \(suffixes)." : "Omit --format, or change the suffix.")
    }
    return given
  }

  /// Returns the hint to write `format`, given the output and whether `--format` was given.
  ///
  /// An output with a name keeps its suffix, so `--format` alone would make a file with the wrong
  /// suffix.
  static func hint(_ format: String, output: String?, isFormatGiven: Bool) -> String {
    guard let output, isNamed(output) else {
      return isFormatGiven ? "Choose --format \(format)." : "Add --format \(format)."
    }
    let name = "ive the output a name that ends in .\(format)."
    return isFormatGiven ? "Omit --format, and g\(name)" : "G\(name)"
  }

  static func isFolder(_ path: String) -> Bool { (try? System.status(of: path))?.kind == .folder }

  private static func isNamed(_ output: String) -> Bool { output != "-" && !isFolder(output) }

  /// Rejects audio on a terminal.
  static func checkTerminal() throws(UsageError) {
    try reject(
      if: System.isTerminal(System.standardOutput), "Audio cannot be written to the terminal.",
      hint: "Redirect the output, or name a file with -o.")
  }
}
