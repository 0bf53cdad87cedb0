import AacornRecording
import AacornSystem

/// The command `aacorn batch`.
struct BatchCommand: Subcommand {
  /// The manifest, or with `merges` the ledgers.
  var paths: [String] = []
  var shard: Shard?
  var shardCount: Int?
  var ledger: String?
  var outputFolder: String?
  var encoding = BatchSettings()
  var workOptions = BatchWork.Options()
  var jobCount: Int?
  var retryCount = 2
  var metricsPath: String?
  /// Whether the manifest is read from standard input, as with the path `-`.
  var readsInput = false
  /// Whether a line may load plugins by path, and read effects and covers from any file.
  var trustsManifest = false
  var merges = false
  /// The file for the merged ledger lines with `--merge -o`.
  var mergedPath: String?
  var printsJSON = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    if merges { return try merge(in: console) }
    if mergedPath != nil {
      throw UsageError(
        "The option -o is for --merge.",
        hint: "The manifest or --output-folder names the outputs."
      )
    }
    guard let path = try manifestPath() else {
      throw UsageError(
        "The manifest is missing.",
        hint: "Name a file with a line for each sound file, or - for standard input.")
    }
    if paths.count > 1 {
      throw UsageError(
        "Only one manifest can be encoded at a time.",
        hint: "Use “aacorn encode” for sound files, and cat to join manifests."
      )
    }
    var settings = try settings()
    let ledgerPath = path == "-" && ledger == nil ? nil : ledgerPath(for: path, settings.shard)
    try refuseSharedFiles(path, ledgerPath, settings.metricsPath)
    settings.workOptions.ownFiles = [
      path == "-" ? nil : path, ledgerPath, ledgerPath.map(BatchJournal.path(of:)),
      settings.metricsPath,
    ].compactMap(\.self)
    do throws(CommandFailure) {
      return if let ledgerPath, path != "-" {
        try run(path, settings, ledgerPath, in: console)
      } else {
        try runFromInput(settings, ledgerPath, in: console)
      }
    } catch {
      console.printError(error.commandMessage)
      return error.exitStatus
    }
  }

  /// Returns the path of the manifest, or nil if the command line has none.
  private func manifestPath() throws(UsageError) -> String? {
    if !readsInput { return paths.first }
    if let path = paths.first(where: { $0 != "-" }) {
      throw UsageError(
        "With --stdin-manifest the lines come from standard input, and not from "
          + "“\(displayed(path))”.", hint: "Omit one of them.")
    }
    return "-"
  }

  private func settings() throws(UsageError) -> BatchRun.Settings {
    var settings = BatchRun.Settings()
    settings.encoding = encoding
    let command = try encoding.command()
    let format = command.format ?? .m4a
    settings.naming = ManifestLine.Naming(
      folder: outputFolder, suffix: format.rawValue, isTrusted: trustsManifest)
    settings.workOptions = workOptions
    settings.workOptions.makesFolders = true
    settings.jobCount = jobCount ?? System.coreCount
    settings.retryCount = retryCount
    settings.isQuiet = isQuiet
    settings.printsEntries = printsJSON
    if let shard {
      if let shardCount, shardCount != shard.count {
        throw UsageError(
          "--shard states \(shard.count) parts, but --shards states \(shardCount).",
          hint: "Omit --shards.")
      }
      settings.shard = shard
    } else if let shard = try Shard.ofEnvironment(count: shardCount, System.environment) {
      settings.shard = shard
    } else if let shardCount, shardCount > 1 {
      throw UsageError(
        "With --shards \(shardCount), the number of the part is missing.",
        hint: "Use --shard 1/\(shardCount), or start it by Slurm, Kubernetes or GNU parallel.")
    }
    settings.metricsPath = metricsPath.map { Self.metricsPath($0, of: settings.shard) }
    return settings
  }

  /// Returns the path of the metrics file of one part of the manifest.
  ///
  /// The path keeps its suffix, because metrics collectors select files by suffix.
  static func metricsPath(_ path: String, of shard: Shard) -> String {
    let isFile = ((try? System.status(of: path))?.kind ?? .file) == .file
    if shard.name.isEmpty || path == "-" || !isFile { return path }
    let suffix = FileName.suffix(path)
    let name = suffix.isEmpty ? shard.name : shard.name + "." + suffix
    return suffix.isEmpty ? path + "." + name : FileName.replacingSuffix(path, with: name)
  }

  /// Throws if the ledger or the metrics would overwrite the manifest or each other.
  private func refuseSharedFiles(
    _ path: String, _ ledgerPath: String?, _ metricsPath: String?
  ) throws(UsageError) {
    if let ledgerPath, SourceFiles([path]).contains(ledgerPath) {
      throw UsageError(
        "“\(displayed(ledgerPath))” is the manifest and cannot also be the ledger.",
        hint: "Choose another name with --ledger.")
    }
    let others = [path] + (ledgerPath.map { [$0] } ?? [])
    if let metricsPath, SourceFiles(others).contains(metricsPath) {
      throw UsageError(
        "“\(displayed(metricsPath))” is the manifest or the ledger, and would be replaced.",
        hint: "Choose another name with --metrics.")
    }
    if let metricsPath, !BatchTally.mayReplace(metricsPath) {
      throw UsageError(
        "“\(displayed(metricsPath))” already exists and does not contain metrics of “aacorn batch”. It "
          + "was not changed.", hint: "Choose another name with --metrics.")
    }
  }

  /// Encodes the lines of a manifest file.
  private func run(
    _ path: String, _ settings: BatchRun.Settings, _ ledgerPath: String, in console: Console
  ) throws(CommandFailure) -> ExitStatus {
    let written = [ledgerPath, BatchJournal.path(of: ledgerPath)]
    let check = try ManifestCheck(
      path, settings, written: written + (settings.metricsPath.map { [$0] } ?? []),
      console.interruption)
    if check.faultCount > 0 {
      for fault in check.faults { console.printError(fault) }
      let more = check.faultCount - check.faults.count
      console.printError(
        (more > 0
          ? "There are \(check.hasMoreFaults ? "more than " : "")\(more) more such lines. " : "")
          + "Nothing was encoded. Fix “\(displayed(path))” first.")
      return .usage
    }
    let book = try Ledger(ledgerPath)
    let source = try BatchSource(path, book, settings, console.interruption)
    let run = BatchRun(
      settings, ledger: book, journal: openJournal(of: book, settings, in: console),
      total: check.lineCount, in: console)
    run.work(source)
    return finish(run, in: console, ledgerPath)
  }

  /// Encodes lines from standard input, and prints each result when its line is finished.
  private func runFromInput(
    _ settings: BatchRun.Settings, _ ledgerPath: String?, in console: Console
  ) throws(CommandFailure) -> ExitStatus {
    var settings = settings
    settings.printsEntries = true
    settings.printsSkipped = true
    let book = try ledgerPath.map { (path) throws(CommandFailure) in try Ledger(path) }
    let source = try BatchSource("-", book, settings, console.interruption)
    let journal = book.flatMap { openJournal(of: $0, settings, in: console) }
    let run = BatchRun(settings, ledger: book, journal: journal, total: nil, in: console)
    run.work(source)
    return finish(run, in: console)
  }

  /// Opens the journal of the lines in progress; returns nil on an error, since a run can do
  /// without it.
  private func openJournal(
    of ledger: Ledger, _ settings: BatchRun.Settings, in console: Console
  ) -> BatchJournal? {
    // A ledger on a device cannot be resumed, so it needs no journal.
    if !ledger.isFile { return nil }
    do throws(CommandFailure) {
      return try BatchJournal(of: ledger.path, slotCount: settings.jobCount)
    } catch {
      console.printError(
        error.commandMessage + " A file that crashes the program would not be skipped.")
      return nil
    }
  }

  private func finish(
    _ run: BatchRun, in console: Console, _ ledgerPath: String? = nil
  ) -> ExitStatus {
    let status = run.finish()
    let elapsed = System.seconds - run.start
    if printsJSON {
      console.print(run.tally.json(elapsed: elapsed))
    } else if !isQuiet && !run.settings.printsEntries {
      console.print(run.tally.summary(elapsed: elapsed))
      if let ledgerPath, !run.isStopped {
        console.print("The results of the lines are in \(displayed(ledgerPath)).")
      }
    }
    return status
  }

  /// Returns the path of the ledger: next to the manifest, with the number of the part.
  private func ledgerPath(for path: String, _ shard: Shard) -> String {
    let part = shard.name.isEmpty ? "" : "." + shard.name
    return (ledger ?? path + ".ledger") + part
  }

  // MARK: Merging

  private func merge(in console: Console) throws(UsageError) -> ExitStatus {
    if readsInput {
      throw UsageError(
        "The option --stdin-manifest is not for --merge.", hint: "Name the ledgers as operands.")
    }
    // A pattern for the ledgers of all parts also matches the journals next to them.
    let paths = paths.filter { !BatchJournal.isJournal($0) }
    if paths.isEmpty { throw UsageError("There are no ledgers to merge.") }
    do throws(CommandFailure) {
      if let mergedPath, SourceFiles(paths).contains(mergedPath) {
        throw CommandFailure.isInput(mergedPath, option: "-o")
      }
      let file = try mergedPath.map { (path) throws(CommandFailure) in
        try OutputFile(
          path, replacing: workOptions.replacesExisting, interruption: console.interruption)
      }
      let merge = try LedgerMerge(paths, console.interruption) { (line) throws(CommandFailure) in
        try file?.write(line)
      }
      try file?.commit()
      console.print(printsJSON ? merge.json.encoded : text(of: merge))
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

  private func text(of merge: LedgerMerge) -> String {
    var lines = [merge.tally.summary(elapsed: 0)]
    lines += merge.errors.sorted { $0.key < $1.key }.map { "  \($0.value) \($0.key)" }
    lines += merge.failures.map { "Line \($0.line): \($0.error?.message ?? "")" }
    let more = merge.errors.values.reduce(0, +) - merge.failures.count
    if more > 0 { lines.append("\(more) more; -o FILE keeps the last line about each output.") }
    return lines.joined(separator: "\n")
  }
}
