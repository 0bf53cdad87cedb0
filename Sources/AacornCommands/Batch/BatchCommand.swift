import AacornRecording
import AacornSystem

/// The command, whose properties are also the settings for all lines of the manifest.
struct BatchCommand: Subcommand {
  /// The manifest; `-` is standard input.
  var paths: [String] = []
  var shard = Shard()
  var ledgerPath: String?
  /// The encoding options, which a line can override.
  var encoding = ManifestOptions()
  /// The folder of the outputs that lines do not name; nil for the folders of the inputs.
  var outputFolder: String?
  /// The suffix of the outputs that lines do not name.
  var outputSuffix = OutputFormat.m4a.rawValue
  /// Whether a line may read effects and covers from any file.
  var trustsManifest = false
  var replacesExisting = false
  /// Whether outputs are decoded and compared with their inputs, and digests are stored.
  var verifies = false
  /// Whether inputs that failed permanently are retried.
  var retriesFailed = false
  var jobCount = System.coreCount
  /// The number of attempts after the first, for errors that may be temporary.
  var retryCount = 2
  var isQuiet = false
  /// Whether ledger entries are also printed to standard output.
  var printsEntries = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let path = try manifestPath()
    let settings = try completed(path)
    do throws(CommandFailure) {
      return try settings.encode(path, in: console)
    } catch {
      console.printError(error.commandMessage)
      return error.exitStatus
    }
  }

  private func manifestPath() throws(UsageError) -> String {
    guard let path = paths.first else {
      throw UsageError(
        "The manifest is missing.",
        hint: "Name a file with a line for each sound file, or - for standard input.")
    }
    try reject(
      if: paths.count > 1, "Only one manifest can be encoded at a time.",
      hint: "Use “aacorn encode” for sound files, and cat to join manifests.")
    return path
  }

  /// Returns the command with the part of a manifest, and with values that depend on other options.
  private func completed(_ path: String) throws(UsageError) -> BatchCommand {
    if let file = encoding.unusableFile {
      throw UsageError("“\(displayed(file))” is not a file.", hint: "Choose another file.")
    }
    var settings = self
    settings.outputSuffix = (try encoding.command().format ?? .m4a).rawValue
    // A ledger with the name “-” is a file, not standard input.
    let name = ledgerPath == "-" ? "./-" : ledgerPath
    guard path != "-" || name != nil else { return settings }
    // The ledger is next to the manifest, with the number of the part.
    let ledger = (name ?? path + ".ledger") + (shard.name.isEmpty ? "" : "." + shard.name)
    try reject(
      if: ((try? System.status(of: ledger))?.kind ?? .file) != .file,
      "“\(displayed(ledger))” is not a file.", hint: "Choose another name with --ledger.")
    try reject(
      if: SourceFiles([path]).contains(ledger),
      "“\(displayed(ledger))” is the manifest and cannot also be the ledger.",
      hint: "Choose another name with --ledger.")
    settings.ledgerPath = ledger
    return settings
  }

  /// Encodes the lines of a manifest; those from standard input without a check in advance.
  private func encode(
    _ path: String, in console: Console
  ) throws(CommandFailure) -> ExitStatus {
    var total: Int?
    if path != "-" {
      let check = try ManifestCheck(path, self, console.interruption)
      if check.faultCount > 0 {
        for fault in check.faults { console.printError(fault) }
        let more = check.faultCount - check.faults.count
        console.printError(
          (more > 0 ? "There are \(more) more such lines. " : "")
            + "Nothing was encoded. Fix “\(displayed(path))” first.")
        return .usage
      }
      total = check.lineCount
    }
    let ledger = try ledgerPath.map { (path) throws(CommandFailure) in
      try Ledger(path, of: shard, console.interruption)
    }
    let manifest = try LineReader(path, console.interruption)
    return BatchRun(self, ledger: ledger, total: total, in: console).run(manifest)
  }

  /// The files of the run itself, which no line may replace.
  var ownFiles: [String] { [paths.first { $0 != "-" }, ledgerPath].compactMap(\.self) }

  /// Returns the output of a line that names only its input, and perhaps its format.
  func output(of input: String, _ format: OutputFormat? = nil) -> String {
    let name = FileName.replacingSuffix(input, with: format?.rawValue ?? outputSuffix)
    guard let outputFolder else { return name }
    // Keep the folder tree, but stay inside the output folder.
    let parts = name.utf8.split(separator: UInt8(ascii: "/")).filter {
      !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
    }
    return FileName.joined(outputFolder, parts.map { String(Substring($0)) }.joined(separator: "/"))
  }
}

extension BatchCommand {
  static var syntax: CommandSyntax<BatchCommand> {
    CommandSyntax(
      CommandDescription(
        name: "batch",
        summary: "Encodes the files of a list, on one machine or split over several.",
        operands: .files("<manifest>"),
        discussion: [
          "A manifest has a line for each file: its path, or a JSON object such as {\"input\": "
            + "\"a.wav\", \"output\": \"out/a.m4a\", \"bitrate\": \"96k\"} with long option names of "
            + "“aacorn encode”, and optionally your own id. Without an output, the result is placed "
            + "next to the input, or in --output-folder. The manifest is checked before anything is "
            + "encoded: no two lines may write the same file, and no line may write the input of "
            + "another.",
          "A line may read and write any path. Existing files are kept unless --force is given. "
            + "Effects from a file (@FILE) and covers outside the input's folder need "
            + "--trust-manifest.",
          "A ledger records the result of each line as JSON: settings, sizes, time and errors. The next "
            + "run resumes from it, however the last one ended: finished lines are skipped, and changed "
            + "inputs are encoded again. A file that cannot be read fails only its own line.",
          "--shard 3/16 encodes part 3 of 16; the parts are the same on every machine. Each part has its "
            + "own ledger; join them with cat, in any order. With the manifest -, lines are read from "
            + "standard input, and each ledger line is printed when its file is finished.",
        ],
        essentials: [
          "output-folder", "force", "bitrate", "vbr", "profile", "loudness", "effects", "shard",
          "jobs", "verify", "retry-failed", "json",
        ],
        examples: [
          ("find . -name '*.wav' >all.txt; aacorn batch all.txt", "Encode all, on all cores."),
          ("aacorn batch --shard 2/8 -b 96k all.jsonl", "Encode the second of eight parts."),
          (
            "cat all.jsonl.ledger.* >>all.jsonl.ledger; aacorn batch -b 96k all.jsonl",
            "Encode what the parts left."
          ),
          ("parallel --pipe aacorn batch - <all.txt", "Encode lines from a pipe."),
        ],
        exitCodes: ExitStatus.batchTable),
      options: [("Output", outputOptions)]
        + ManifestOptions.sections(\.encoding) + [("Run", otherOptions)],
      inputs: \.paths)
  }

  private typealias Option = CommandSyntax<BatchCommand>.Option

  private static var outputOptions: [Option] {
    [
      .path(
        "output-folder", .folder("DIR"),
        "Write outputs without a path into DIR, with the folders of the inputs.", "output folder",
        \.outputFolder),
      .path(
        "ledger", .file("FILE"),
        "Write the ledger to FILE (default: the manifest's name with .ledger). Each part adds its "
          + "number.", "ledger", \.ledgerPath),
      .flag(
        "force", short: "f", "Replace existing files that are not in the ledger.",
        \.replacesExisting),
    ]
  }

  private static var otherOptions: [Option] {
    [
      .value(
        "shard", .text("I/N"), "Encode part I of N, counted from 1.", \.shard, OptionValue.shard),
      .flag(
        "trust-manifest",
        "Allow lines to read effects and covers from any file.", \.trustsManifest),
      .flag(
        "verify",
        "Decode each output, check its duration, and store digests. For finished lines, compare the "
          + "digests.",
        \.verifies),
      .flag(
        "retry-failed", "Retry lines that failed because of their input.",
        \.retriesFailed),
      .value(
        "retries", .text("N"),
        "Retry a line N times after a read or write error, 0 to 100 (default 2).",
        \.retryCount, OptionValue.integer(in: 0...100)),
      .value(
        "jobs", short: "j", .text("N"),
        "Number of files to encode in parallel (default: all cores).", \.jobCount,
        OptionValue.integer(in: 1...1024)),
      .flag("json", "Print each ledger line and a summary as JSON objects.", \.printsEntries),
      .quiet(\.isQuiet),
    ]
  }
}

extension OptionValue {
  fileprivate static func shard(_ value: String, _ option: String) throws(UsageError) -> Shard {
    if let shard = Shard(value) { return shard }
    throw UsageError.misunderstood(
      value, option, hint: "Give the part and the number of parts, such as 3/16.")
  }
}
