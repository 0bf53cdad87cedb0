import AacornRecording
import AacornSystem

/// `aacorn batch`.
struct BatchCommand: Subcommand {
  /// The manifest, or with `merges` the ledgers.
  var paths: [String] = []
  var shard: Shard?
  var shardCount: Int?
  var ledger: String?
  var outputFolder: String?
  var encoding = BatchSettings()
  var wishes = BatchWork.Wishes()
  var jobCount: Int?
  var retryCount = 2
  var metricsPath: String?
  var merges = false
  /// Where the lines that count go when ledgers are merged.
  var mergedPath: String?
  var printsJSON = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    if merges { return try merge(in: console) }
    if mergedPath != nil {
      throw UsageError(
        "The option -o is for --merge.", advice: "A manifest names the outputs, or --output-folder."
      )
    }
    guard let path = paths.first else {
      throw UsageError(
        "There is no manifest.",
        advice: "Name a file with a line for each sound file, or - for standard input.")
    }
    if paths.count > 1 {
      throw UsageError(
        "There is one manifest at a time.",
        advice: "Sound files are encoded with “aacorn encode”; manifests are put together with cat."
      )
    }
    let settings = try settings()
    do throws(CommandFailure) {
      return path == "-"
        ? try runFromInput(settings, in: console) : try run(path, settings, in: console)
    } catch {
      console.printError(error.commandSentence)
      return error.exitStatus
    }
  }

  private func settings() throws(UsageError) -> BatchRun.Settings {
    var settings = BatchRun.Settings()
    settings.encoding = encoding
    let command = try encoding.command()
    let format = command.format ?? .m4a
    settings.naming = ManifestLine.Naming(folder: outputFolder, suffix: format.rawValue)
    settings.wishes = wishes
    settings.wishes.makesFolders = true
    settings.jobCount = jobCount ?? System.coreCount
    settings.retryCount = retryCount
    settings.metricsPath = metricsPath
    settings.isQuiet = isQuiet
    settings.printsEntries = printsJSON
    if let shard {
      settings.shard = shard
    } else if let shard = try Shard.ofEnvironment(count: shardCount, System.environment) {
      settings.shard = shard
    } else if let shardCount, shardCount > 1 {
      throw UsageError(
        "It is not clear which of the \(shardCount) parts is to be made.",
        advice: "Use --shard 1/\(shardCount), or start it by Slurm, Kubernetes or GNU parallel.")
    }
    return settings
  }

  /// Makes the lines of a file.
  private func run(
    _ path: String, _ settings: BatchRun.Settings, in console: Console
  ) throws(CommandFailure) -> ExitStatus {
    let ledgerPath = ledgerPath(for: path, settings.shard)
    let check = try ManifestCheck(
      path, settings, ownFiles: [path, ledgerPath] + (metricsPath.map { [$0] } ?? []),
      console.interruption)
    if check.faultCount > 0 {
      for fault in check.faults { console.printError(fault) }
      let more = check.faultCount - check.faults.count
      console.printError(
        (more > 0 ? "There are \(more) more such lines. " : "")
          + "Nothing was encoded. Mend “\(displayed(path))” first.")
      return .usage
    }
    let book = try Ledger(ledgerPath)
    let run = BatchRun(settings, ledger: book, total: check.lineCount, in: console)
    let source = try BatchSource(path, book, settings, console.interruption)
    run.work { () throws(CommandFailure) in try source.next() }
    return conclude(run, in: console, ledgerPath)
  }

  /// Makes lines as they come, and tells of each as it is over.
  private func runFromInput(
    _ settings: BatchRun.Settings, in console: Console
  ) throws(CommandFailure) -> ExitStatus {
    var settings = settings
    settings.printsEntries = true
    let book = ledger == nil ? nil : try Ledger(ledgerPath(for: "-", settings.shard))
    let run = BatchRun(settings, ledger: book, total: nil, in: console)
    let source = try BatchSource("-", book, settings, console.interruption)
    run.work { () throws(CommandFailure) in try source.next() }
    return conclude(run, in: console)
  }

  private func conclude(
    _ run: BatchRun, in console: Console, _ ledgerPath: String? = nil
  ) -> ExitStatus {
    let status = run.conclude()
    if !isQuiet && !run.settings.printsEntries {
      console.print(run.tally.summary(elapsed: System.seconds - run.start))
      if let ledgerPath {
        console.print("What became of each line is in \(displayed(ledgerPath)).")
      }
    }
    return status
  }

  /// The ledger's name: beside the manifest, with the number of the part.
  private func ledgerPath(for path: String, _ shard: Shard) -> String {
    let part = shard.name.isEmpty ? "" : "." + shard.name
    return (ledger ?? path + ".ledger") + part
  }

  // MARK: Merging

  private func merge(in console: Console) throws(UsageError) -> ExitStatus {
    if paths.isEmpty { throw UsageError("There are no ledgers to merge.") }
    do throws(CommandFailure) {
      if let mergedPath, SourceFiles(paths).contains(mergedPath) {
        throw CommandFailure.isInput(mergedPath, option: "-o")
      }
      let file = try mergedPath.map { (path) throws(CommandFailure) in
        try OutputFile(
          path, replacing: wishes.replacesExisting, interruption: console.interruption)
      }
      let merge = try LedgerMerge(paths, console.interruption) { (line) throws(CommandFailure) in
        try file?.write(line)
      }
      try file?.commit()
      console.print(printsJSON ? merge.json.encoded : text(of: merge))
      let tally = merge.tally
      return tally.failedCount + tally.postponedCount + tally.damagedCount > 0 ? .failed : .success
    } catch {
      console.printError(error.commandSentence)
      return error.exitStatus
    }
  }

  private func text(of merge: LedgerMerge) -> String {
    var lines = [merge.tally.summary(elapsed: 0)]
    lines += merge.errors.sorted { $0.key < $1.key }.map { "  \($0.value) \($0.key)" }
    lines += merge.failures.map { "Line \($0.line): \($0.error?.sentence ?? "")" }
    let more = merge.errors.values.reduce(0, +) - merge.failures.count
    if more > 0 { lines.append("\(more) more; -o FILE keeps the last line about each output.") }
    return lines.joined(separator: "\n")
  }
}
