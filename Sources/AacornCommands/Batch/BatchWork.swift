import AacornCodec
import AacornRecording
import AacornSoundFiles
import AacornSystem

/// The work on one line: encodes the output unless it already exists.
struct BatchWork {
  let line: ManifestLine
  let settings: BatchSettings
  /// The ledger entry of the output; nil if there is no entry.
  var known: LedgerEntry?
  let options: Options
  /// The digests of covers and other files that many lines name.
  let digests: FileDigests
  let interruption: Interruption
  /// Whether another program was writing the output in an earlier attempt.
  ///
  /// If so, the output is not replaced.
  var outputWasBusy = false

  /// The options that apply to all lines.
  struct Options: Equatable, Sendable {
    var replacesExisting = false
    var makesFolders = false
    /// Whether outputs are decoded and compared with their inputs.
    var verifies = false
    /// Whether inputs that failed permanently are retried.
    var retriesFailed = false
    /// Whether an input with unchanged size and time is treated as unchanged.
    var trustsTimes = false
    /// The files of the run itself, which no line may replace.
    var ownFiles: [String] = []
  }

  /// The result of the work on a line.
  enum Result {
    /// Skipped: the ledger lists the output as done with the same input and settings.
    case skipped(LedgerEntry)
    /// Not tried: it failed before, for a reason that still applies.
    case failedBefore(LedgerEntry)
    /// Tried; `mayBeTemporary` means that it failed for a reason that may be temporary.
    case attempted(LedgerEntry, mayBeTemporary: Bool)
  }

  /// Makes one attempt.
  ///
  /// `begin` is called before each read that may crash the program, possibly several times.
  func run(begin: () -> Void) throws(CommandFailure) -> Result {
    if let crashEntry = knownCrashEntry { return .failedBefore(relabeled(crashEntry)) }
    var entry = blankEntry(
      identity: settings.identity { digests.digest(of: $0, interruption, begin: begin) })
    do throws(CommandFailure) {
      if let result = try skipIfDone(&entry, begin) { return result }
      begin()
      try make(&entry)
    } catch {
      if case .interrupted = error.kind { throw error }
      entry.outcome = error.isPermanent ? .failed : .postponed
      entry.error = (error.keyword, error.commandMessage)
      if entry.outputDigest == nil { keepKnownOutput(&entry) }
      return .attempted(
        entry, mayBeTemporary: error.mayBeTemporary && entry.inputSize != nil && !isBarred(error))
    }
    return .attempted(entry, mayBeTemporary: false)
  }

  /// Returns a ledger entry for the line without details of the input.
  func blankEntry(identity: String) -> LedgerEntry {
    var entry = LedgerEntry()
    entry.line = line.number
    entry.id = line.id
    entry.input = line.input
    entry.output = line.output
    entry.settings = identity
    return entry
  }

  /// Copies the known output into the entry of an attempt that made no output.
  func keepKnownOutput(_ entry: inout LedgerEntry) {
    guard let known else { return }
    entry.keepOutput(of: known)
    entry.made = known.source
  }

  /// Returns the result if the line needs no encoding.
  ///
  /// Otherwise adds the input's properties to `entry`.
  private func skipIfDone(
    _ entry: inout LedgerEntry, _ begin: () -> Void
  ) throws(CommandFailure) -> Result? {
    let status: System.FileStatus
    do throws(SystemError) {
      status = try System.status(of: line.input)
    } catch {
      throw CommandFailure(.open, line.input, error)
    }
    if status.kind != .file { throw notAFile(status.kind) }
    entry.inputSize = status.size
    entry.inputTime = status.modified
    let isSame = isKnown(entry)
    if isSame, options.trustsTimes, known?.inputTime == entry.inputTime,
      let digest = known?.inputDigest
    {
      entry.inputDigest = digest
    } else {
      begin()
      entry.inputDigest = try digests.makeDigest(of: line.input, interruption)
    }
    guard let known else { return nil }
    let isKnown = isSame && known.inputDigest == entry.inputDigest
    switch known.outcome {
    case .done, .damaged:
      if isKnown, try hasOutput(of: known, begin) { return .skipped(relabeled(known)) }
      return nil
    case .failed where isKnown && !options.retriesFailed: return .failedBefore(relabeled(known))
    case .failed, .postponed: return try restoredResult(known, entry, begin)
    }
  }

  /// Returns whether the ledger entry has the same settings, input path and input size.
  func isKnown(_ entry: LedgerEntry) -> Bool {
    guard let known else { return false }
    // Compare bytes: equal Unicode texts may be different file names or tags.
    return known.settings.utf8.elementsEqual(entry.settings.utf8)
      && known.input.utf8.elementsEqual(line.input.utf8) && known.inputSize == entry.inputSize
  }

  /// Returns whether an output still exists with the size in its ledger entry.
  ///
  /// A change that keeps the size is detected only with `verifies`, which reads all outputs.
  private func hasOutput(
    of known: LedgerEntry, _ begin: () -> Void
  ) throws(CommandFailure) -> Bool {
    guard let output = try? System.status(of: line.output), output.size == known.outputSize else {
      return false
    }
    if !options.verifies { return true }
    if !known.isVerified { return false }
    begin()
    do throws(CommandFailure) {
      return try digests.makeDigest(of: line.output, interruption) == known.outputDigest
    } catch {
      if case .interrupted = error.kind { throw error }
      return false
    }
  }

  /// Returns a known entry with the line number, id and output of this line.
  private func relabeled(_ known: LedgerEntry) -> LedgerEntry {
    var entry = known
    entry.line = line.number
    entry.id = line.id
    entry.output = line.output
    return entry
  }

  /// Returns the result if the output was made from the present input and settings, and only later
  /// attempts failed.
  private func restoredResult(
    _ known: LedgerEntry, _ entry: LedgerEntry, _ begin: () -> Void
  ) throws(CommandFailure) -> Result? {
    guard let made = known.made, made.settings.utf8.elementsEqual(entry.settings.utf8),
      made.inputDigest == entry.inputDigest, try hasOutput(of: known, begin)
    else { return nil }
    var entry = entry
    entry.keepOutput(of: known)
    entry.recordOutput(try? System.status(of: line.output))
    entry.outcome = made.isDamaged ? .damaged : .done
    return .attempted(entry, mayBeTemporary: false)
  }

  private func notAFile(_ kind: System.FileStatus.Kind) -> CommandFailure {
    kind == .folder
      ? CommandFailure(.open, line.input, .isFolder)
      : CommandFailure(
        .unsupported, "“\(displayed(line.input))” is not a file.",
        .text("Name a regular file, which can be read again for a retry."))
  }

  /// Throws if the output is also read as input, or if it is a file of the run itself.
  private func refuseToReplace(_ command: EncodeCommand) throws(CommandFailure) {
    let advice = CommandFailure.RecoverySuggestion.text("Name another output in the manifest.")
    let own = SourceFiles(options.ownFiles)
    if own.contains(line.input) || own.contains(line.output) {
      let path = own.contains(line.output) ? line.output : line.input
      throw CommandFailure(
        .exists, "“\(displayed(path))” is a file of this run and cannot be an input or output.",
        advice
      )
    }
    if SourceFiles([line.input] + [command.tags.coverPath].compactMap(\.self)).contains(line.output)
    {
      throw .isInput(line.output, advice)
    }
    // Reject a link to a file: through it, the input of another line could be replaced without
    // being detected.
    guard (try? System.statusOfLink(line.output))?.kind == .link,
      let target = try? System.resolved(line.output),
      (try? System.status(of: target))?.kind == .file
    else { return }
    throw CommandFailure(
      .exists,
      "“\(displayed(line.output))” is a symbolic link, and “\(displayed(target))”, to which it "
        + "leads, was left alone.", .text("Remove the link, or name another output."))
  }

  private func make(_ entry: inout LedgerEntry) throws(CommandFailure) {
    let command: EncodeCommand
    let item: EncodePlan.Item
    do throws(UsageError) {
      command = try settings.command()
      let format = try EncodePlan.format(of: command, for: line.output)
      item = EncodePlan.Item(source: .file(line.input), output: line.output, format: format)
    } catch {
      throw CommandFailure(.unsupported, error.text)
    }
    try refuseToReplace(command)
    let coverImage = try command.loadCover(interruption)
    var request = EncodeRequest(item, of: command, coverImage: coverImage)
    request.makesFolders = options.makesFolders
    // An output in the ledger is replaced. Any other existing file must have identical bytes.
    request.replacesExisting =
      !outputWasBusy && (options.replacesExisting || known?.outputDigest != nil)
    let summary: AACFile.Summary
    if !request.replacesExisting, (try? System.statusOfLink(line.output)) != nil {
      summary = try compare(request)
    } else {
      var work = try EncodeWork(request, interruption: interruption)
      summary = try work.run { _, _ in }
    }
    entry.outcome = summary.isDamaged ? .damaged : .done
    entry.warnings = summary.warnings
    entry.outputSize = summary.byteCount
    entry.sampleCount = summary.sampleCount
    entry.sampleRate = summary.sampleRate
    entry.recordOutput(try? System.status(of: line.output))
    entry.outputDigest = try digests.makeDigest(of: line.output, interruption)
    try requireSameInput(as: entry)
    if options.verifies { try verify(summary, item.format, &entry) }
  }

  /// Encodes next to an existing file, and accepts that file as the output if the bytes are equal.
  ///
  /// A run that was killed may have written the output without a ledger entry.
  private func compare(_ request: EncodeRequest) throws(CommandFailure) -> AACFile.Summary {
    let trial = FileName.joined(
      FileName.folder(line.output), ".aacorn-\(System.processNumber)-line\(line.number).tmp")
    defer { try? System.remove(trial) }
    var copy = EncodeRequest(request.origin, to: trial, request.format)
    copy.rawFormat = request.rawFormat
    copy.options = request.options
    copy.tags = request.tags
    copy.keepsTags = request.keepsTags
    copy.threadCount = request.threadCount
    copy.replacesExisting = true
    var work = try EncodeWork(copy, interruption: interruption)
    let summary = try work.run { _, _ in }
    let made = try digests.makeDigest(of: trial, interruption)
    let isSame = try made == digests.makeDigest(of: line.output, interruption)
    if isSame { return summary }
    throw CommandFailure(
      .exists, "“\(displayed(line.output))” already exists and is not in the ledger.",
      .text("Use --force to replace such files."))
  }

  /// Decodes the output and compares its number of samples.
  private func verify(
    _ summary: AACFile.Summary, _ format: OutputFormat, _ entry: inout LedgerEntry
  ) throws(CommandFailure) {
    let request = DecodeRequest(line.output, to: "/dev/null", .raw)
    var work = try DecodeWork(request, interruption: interruption)
    let decoded = try work.run { _, _ in }
    let surplus = decoded.sampleCount - summary.sampleCount
    // A raw stream does not state its priming and padding, so all samples of its frames are
    // decoded.
    let hasExpectedLength =
      format == .m4a ? surplus == 0 : (0...Self.maxSurplusSampleCount).contains(surplus)
    if hasExpectedLength, !decoded.isDamaged {
      entry.isVerified = true
      return
    }
    throw CommandFailure(
      .cannotRead,
      "“\(displayed(line.output))” decodes to \(QuantityText.count(decoded.sampleCount, "sample")) instead of "
        + "\(summary.sampleCount)"
        + (decoded.isDamaged ? ", and is damaged." : "."),
      .text("Check the disk and the memory of this machine."))
  }

  /// The number of samples in three HE-AAC frames plus the codec's delay.
  private static let maxSurplusSampleCount = 8192
}
