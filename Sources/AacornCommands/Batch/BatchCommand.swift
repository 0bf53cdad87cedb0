import AacornRecording
import AacornSystem

/// The command, whose properties are also the settings for all lines of the manifest.
struct BatchCommand: Subcommand {
  /// The manifest, or with `merges` the ledgers.
  var paths: [String] = []
  /// The part from the command line; nil if the environment may select it.
  var givenShard: Shard?
  var shardCount: Int?
  var shard = Shard()
  var ledgerPath: String?
  /// Whether the manifest is read from standard input, as with the path `-`.
  var readsInput = false
  var merges = false
  /// The file for the merged ledger lines with `--merge -o`.
  var mergedPath: String?
  /// The encoding options, which a line can override.
  var encoding = ManifestOptions()
  /// The folder of the outputs that lines do not name; nil for the folders of the inputs.
  var outputFolder: String?
  /// The suffix of the outputs that lines do not name.
  var outputSuffix = OutputFormat.m4a.rawValue
  /// Whether a line may load plugins by path, and read effects and covers from any file.
  var trustsManifest = false
  var replacesExisting = false
  /// Whether outputs are decoded and compared with their inputs.
  var verifies = false
  /// Whether inputs that failed permanently are retried.
  var retriesFailed = false
  /// Whether an input with unchanged size and time is treated as unchanged.
  var trustsTimes = false
  var jobCount = System.coreCount
  /// The number of attempts after the first, for errors that may be temporary.
  var retryCount = 2
  var metricsPath: String?
  var isQuiet = false
  /// Whether ledger entries are also printed to standard output.
  var printsEntries = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    if merges { return try merge(in: console) }
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
    try reject(
      if: mergedPath != nil, "The option -o is for --merge.",
      hint: "The manifest or --output-folder names the outputs.")
    if readsInput, let path = paths.first(where: { $0 != "-" }) {
      throw UsageError(
        "With --stdin-manifest the lines come from standard input, and not from "
          + "“\(displayed(path))”.", hint: "Omit one of them.")
    }
    guard let path = readsInput ? "-" : paths.first else {
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
    if let givenShard {
      if let shardCount, shardCount != givenShard.count {
        throw UsageError(
          "--shard states \(givenShard.count) parts, but --shards states \(shardCount).",
          hint: "Omit --shards.")
      }
      settings.shard = givenShard
    } else if let shard = try Shard.ofEnvironment(count: shardCount, System.environment) {
      settings.shard = shard
    } else if let shardCount, shardCount > 1 {
      throw UsageError(
        "With --shards \(shardCount), the number of the part is missing.",
        hint: "Use --shard 1/\(shardCount), or start it by Slurm, Kubernetes or GNU parallel.")
    }
    let part = settings.shard.name
    // A ledger with the name “-” is a file, not standard input.
    let name = ledgerPath == "-" ? "./-" : ledgerPath
    if path != "-" || name != nil {
      // The ledger is next to the manifest, with the number of the part.
      settings.ledgerPath = (name ?? path + ".ledger") + (part.isEmpty ? "" : "." + part)
    }
    if let metricsPath { try Self.requireFile(metricsPath, option: "--metrics") }
    settings.metricsPath = metricsPath.map { Self.metricsPath($0, of: settings.shard) }
    try settings.refuseSharedFiles(path)
    return settings
  }

  /// Returns the path of the metrics file of one part of the manifest.
  ///
  /// The path keeps its suffix, because metrics collectors select files by suffix.
  static func metricsPath(_ path: String, of shard: Shard) -> String {
    if shard.name.isEmpty || path == "-" { return path }
    return FileName.adding("." + shard.name, to: path)
  }

  /// Throws if a path that an option names is a folder, a pipe, a device or a socket.
  private static func requireFile(_ path: String, option: String) throws(UsageError) {
    try reject(
      if: ((try? System.status(of: path))?.kind ?? .file) != .file,
      "“\(displayed(path))” is not a file.", hint: "Choose another name with \(option).")
  }

  /// Throws if the ledger or the metrics would overwrite the manifest or each other.
  private func refuseSharedFiles(_ path: String) throws(UsageError) {
    if let ledgerPath {
      try Self.requireFile(ledgerPath, option: "--ledger")
      try reject(
        if: SourceFiles([path]).contains(ledgerPath),
        "“\(displayed(ledgerPath))” is the manifest and cannot also be the ledger.",
        hint: "Choose another name with --ledger.")
    }
    guard let metricsPath else { return }
    try Self.requireFile(metricsPath, option: "--metrics")
    try reject(
      if: SourceFiles([path] + [ledgerPath].compactMap(\.self)).contains(metricsPath),
      "“\(displayed(metricsPath))” is the manifest or the ledger, and would be replaced.",
      hint: "Choose another name with --metrics.")
    try reject(
      if: !BatchTally.mayReplace(metricsPath),
      "“\(displayed(metricsPath))” already exists and does not contain metrics of “aacorn batch”. It "
        + "was not changed.", hint: "Choose another name with --metrics.")
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
    let ledger = try ledgerPath.map { (path) throws(CommandFailure) in try Ledger(path) }
    let manifest = try LineReader(path, console.interruption)
    return try BatchRun(self, ledger: ledger, total: total, in: console).run(manifest)
  }

  private func merge(in console: Console) throws(UsageError) -> ExitStatus {
    try reject(
      if: readsInput, "The option --stdin-manifest is not for --merge.",
      hint: "Name the ledgers as operands.")
    // A pattern for the ledgers of all parts also matches the journals next to them. A ledger with
    // the name “-” is a file, not standard input.
    let paths = paths.filter { !CrashJournal.isJournal($0) }.map { $0 == "-" ? "./-" : $0 }
    try reject(if: paths.isEmpty, "There are no ledgers to merge.")
    do throws(CommandFailure) {
      if let mergedPath, SourceFiles(paths).contains(mergedPath) {
        throw CommandFailure.isInput(mergedPath, option: "-o")
      }
      let file = try mergedPath.map { (path) throws(CommandFailure) in
        try OutputFile(path, replacing: replacesExisting, interruption: console.interruption)
      }
      let merge = try LedgerMerge(paths, console.interruption) { (line) throws(CommandFailure) in
        try file?.write(line)
      }
      try file?.commit()
      if printsEntries {
        console.print(merge.json)
      } else {
        console.print(merge.text)
      }
      for message in merge.parts.messages { console.printError(message) }
      if merge.unreadableCount > 0 {
        console.printError(
          QuantityText.count(merge.unreadableCount, "line")
            + " of the ledgers could not be read: truncated by a crash or damaged. A new run of the"
            + " part checks their outputs.")
      }
      return merge.hasFailures ? .failed : .success
    } catch {
      console.printError(error.commandMessage)
      return error.exitStatus
    }
  }
}

extension BatchCommand {
  /// The files of the run itself, which no line may replace.
  var ownFiles: [String] {
    [
      paths.first { $0 != "-" }, ledgerPath, ledgerPath.map(CrashJournal.path(of:)), metricsPath,
    ].compactMap(\.self)
  }

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
            + "Plugins by path, effects from a file (@FILE) and covers outside the input's folder need "
            + "--trust-manifest.",
          "A ledger records the result of each line as JSON: digests of input and output, settings, "
            + "time and errors. The next run resumes from it, however the last one ended: finished "
            + "lines are skipped, and changed inputs are encoded again. A file that cannot be read, or "
            + "that crashes the program more often than --retries, fails only its own line.",
          "--shard 3/16 encodes part 3 of 16; the parts are the same on every machine. In a Slurm "
            + "array, an indexed Kubernetes job or GNU parallel, the task selects the part; "
            + "Kubernetes, parallel and a partial Slurm array also need --shards N. With "
            + "--stdin-manifest, or the manifest -, lines are read from standard input, and each "
            + "ledger line is printed when its file is finished.",
        ],
        essentials: [
          "output-folder", "force", "bitrate", "vbr", "profile", "loudness", "effects", "shard",
          "jobs", "verify", "retry-failed", "merge", "json",
        ],
        examples: [
          ("find . -name '*.wav' >all.txt; aacorn batch all.txt", "Encode all, on all cores."),
          ("aacorn batch --shard 2/8 -b 96k all.jsonl", "Encode the second of eight parts."),
          ("aacorn batch --merge all.jsonl.ledger.*", "Summarize the results of all parts."),
          (
            "parallel --pipe aacorn batch --stdin-manifest <all.txt", "Encode lines from a pipe."
          ),
        ],
        exitCodes: ExitStatus.batchTable),
      options: [("Part", partOptions), ("Output", outputOptions)]
        + ManifestOptions.sections(\.encoding) + [("Run", otherOptions)],
      inputs: \.paths)
  }

  private typealias Option = CommandSyntax<BatchCommand>.Option

  private static var partOptions: [Option] {
    [
      .value(
        "shard", .text("I/N"), "Encode part I of N, counted from 1.", \.givenShard,
        OptionValue.shard),
      .value(
        "shards", .text("N"),
        "Number of parts, if the environment of the job system selects the part. Slurm then counts "
          + "from 0.", \.shardCount, OptionValue.count(upTo: Shard.maxCount)),
    ]
  }

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
      .path(
        "metrics", .file("FILE"),
        "Write metrics for Prometheus to FILE, at most once a second. Each part adds its number.",
        "file for metrics", \.metricsPath),
      .path(
        "output", short: "o", .file("FILE"),
        "With --merge: write the last ledger line of each output to FILE.", "output", \.mergedPath),
    ]
  }

  private static var otherOptions: [Option] {
    [
      .flag(
        "stdin-manifest",
        "Read lines from standard input, and print each result when it is finished.", \.readsInput),
      .flag("merge", "Summarize several ledgers, which are the operands.", \.merges),
      .flag(
        "trust-manifest",
        "Allow lines to load plugins by path, and to read effects and covers from any file.",
        \.trustsManifest),
      .flag(
        "verify",
        "Decode each output and check its duration. For finished lines, check the digest.",
        \.verifies),
      .flag(
        "retry-failed", "Retry lines that failed because of their input.",
        \.retriesFailed),
      .flag(
        "trust-times",
        "Treat an input with unchanged size and time as unchanged, without reading it.",
        \.trustsTimes),
      .value(
        "retries", .text("N"),
        "Retry a line N times after a read or write error or a crash, 0 to 100 (default 2).",
        \.retryCount, OptionValue.integer(in: 0...100)),
      .value(
        "jobs", short: "j", .text("N"),
        "Number of files to encode in parallel (default: all cores).", \.jobCount,
        OptionValue.count(upTo: 1024)),
      .flag(
        "json", "Print each ledger line and a summary as JSON objects, or with --merge the report.",
        \.printsEntries),
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
