import AacornRecording
import AacornSystem

/// The command `aacorn batch`.
struct BatchCommand: Subcommand {
  /// The manifest, or with `merges` the ledgers.
  var paths: [String] = []
  var shard: Shard?
  var shardCount: Int?
  var ledger: String?
  var settings = BatchRun.Settings(jobCount: System.coreCount)
  /// Whether the manifest is read from standard input, as with the path `-`.
  var readsInput = false
  var merges = false
  /// The file for the merged ledger lines with `--merge -o`.
  var mergedPath: String?

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    if merges { return try merge(in: console) }
    let path = try manifestPath()
    let settings = try completedSettings()
    // The ledger is next to the manifest, with the number of the part.
    let part = settings.shard.name.isEmpty ? "" : "." + settings.shard.name
    // A ledger with the name “-” is a file, not standard input.
    let name = ledger == "-" ? "./-" : ledger
    let ledgerPath =
      path == "-" && name == nil ? nil : (name ?? path + ".ledger") + part
    try refuseSharedFiles(path, ledgerPath, settings.metricsPath)
    do throws(CommandFailure) {
      return try encode(path, settings, ledgerPath, in: console)
    } catch {
      console.printError(error.commandMessage)
      return error.exitStatus
    }
  }

  private func manifestPath() throws(UsageError) -> String {
    if mergedPath != nil {
      throw UsageError(
        "The option -o is for --merge.",
        hint: "The manifest or --output-folder names the outputs.")
    }
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
    if paths.count > 1 {
      throw UsageError(
        "Only one manifest can be encoded at a time.",
        hint: "Use “aacorn encode” for sound files, and cat to join manifests.")
    }
    return path
  }

  /// Returns the settings with the part, and with values that depend on other options.
  private func completedSettings() throws(UsageError) -> BatchRun.Settings {
    var settings = settings
    settings.naming.suffix = (try settings.encoding.command().format ?? .m4a).rawValue
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
    settings.metricsPath = settings.metricsPath.map { Self.metricsPath($0, of: settings.shard) }
    return settings
  }

  /// Returns the path of the metrics file of one part of the manifest.
  ///
  /// The path keeps its suffix, because metrics collectors select files by suffix.
  static func metricsPath(_ path: String, of shard: Shard) -> String {
    let isFile = ((try? System.status(of: path))?.kind ?? .file) == .file
    if shard.name.isEmpty || path == "-" || !isFile { return path }
    return FileName.adding("." + shard.name, to: path)
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
    guard let metricsPath else { return }
    if SourceFiles([path] + [ledgerPath].compactMap(\.self)).contains(metricsPath) {
      throw UsageError(
        "“\(displayed(metricsPath))” is the manifest or the ledger, and would be replaced.",
        hint: "Choose another name with --metrics.")
    }
    if !BatchTally.mayReplace(metricsPath) {
      throw UsageError(
        "“\(displayed(metricsPath))” already exists and does not contain metrics of “aacorn batch”. It "
          + "was not changed.", hint: "Choose another name with --metrics.")
    }
  }

  /// Encodes the lines of a manifest; those from standard input without a check in advance.
  private func encode(
    _ path: String, _ settings: BatchRun.Settings, _ ledgerPath: String?, in console: Console
  ) throws(CommandFailure) -> ExitStatus {
    var settings = settings
    settings.workOptions.ownFiles = [
      path == "-" ? nil : path, ledgerPath, ledgerPath.map(CrashJournal.path(of:)),
      settings.metricsPath,
    ].compactMap(\.self)
    var total: Int?
    if path == "-" {
      (settings.printsEntries, settings.printsSkipped) = (true, true)
    } else {
      let check = try ManifestCheck(path, settings, console.interruption)
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
    let source = try BatchSource(
      path, isChecked: path != "-", ledger, settings, console.interruption)
    let journal = ledger.flatMap { openJournal(of: $0, in: console) }
    let run = BatchRun(settings, ledger: ledger, journal: journal, total: total, in: console)
    run.work(source)
    let status = run.finish()
    let elapsed = System.seconds - run.start
    if self.settings.printsEntries {
      console.print(run.tally.json(elapsed: elapsed))
    } else if !settings.isQuiet && !settings.printsEntries {
      console.print(run.tally.summary(elapsed: elapsed))
      if let ledgerPath, !run.isStopped {
        console.print("The results of the lines are in \(displayed(ledgerPath)).")
      }
    }
    return status
  }

  /// Opens the journal of the lines in progress; returns nil on an error, since a run can do
  /// without it.
  private func openJournal(of ledger: Ledger, in console: Console) -> CrashJournal? {
    // A ledger on a device cannot be resumed, so it needs no journal.
    if !ledger.isFile { return nil }
    do throws(CommandFailure) {
      return try CrashJournal(of: ledger.path)
    } catch {
      console.printError(
        error.commandMessage + " A file that crashes the program would not be skipped.")
      return nil
    }
  }

  private func merge(in console: Console) throws(UsageError) -> ExitStatus {
    if readsInput {
      throw UsageError(
        "The option --stdin-manifest is not for --merge.", hint: "Name the ledgers as operands.")
    }
    // A pattern for the ledgers of all parts also matches the journals next to them.
    let paths = paths.filter { !CrashJournal.isJournal($0) }
    if paths.isEmpty { throw UsageError("There are no ledgers to merge.") }
    do throws(CommandFailure) {
      if let mergedPath, SourceFiles(paths).contains(mergedPath) {
        throw CommandFailure.isInput(mergedPath, option: "-o")
      }
      let file = try mergedPath.map { (path) throws(CommandFailure) in
        try OutputFile(
          path, replacing: settings.workOptions.replacesExisting,
          interruption: console.interruption)
      }
      let merge = try LedgerMerge(paths, console.interruption) { (line) throws(CommandFailure) in
        try file?.write(line)
      }
      try file?.commit()
      console.print(settings.printsEntries ? merge.json.encoded : merge.text)
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
