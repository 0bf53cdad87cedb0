import AacornRecording
import AacornSoundFiles
import AacornSystem

/// The work on one line: encodes the output unless it already exists.
struct BatchWork {
  let line: ManifestLine
  let settings: BatchCommand
  /// The ledger entry of the output; nil if there is no entry.
  var known: LedgerEntry?
  /// The digests of covers and other files that many lines name.
  let digests: FileDigests
  let interruption: Interruption
  /// Whether another program was writing the output in an earlier attempt.
  ///
  /// If so, the output is not replaced.
  var outputWasBusy = false

  /// The mark of the input before this attempt read it.
  var inputMark: String?
  /// The number of times that the program ended during the work on the line.
  var crashCount = 0
  /// The `crashKey` of the line at its first attempt, once the journal has recorded the line.
  var journalKey: UInt64?

  /// The result of the work on a line.
  enum Result {
    /// Not tried: the result in the ledger, made or failed, still applies.
    case known(LedgerEntry)
    /// Tried; `mayBeTemporary` means that it failed for a reason that may be temporary.
    case attempted(LedgerEntry, mayBeTemporary: Bool)
  }

  /// Makes one attempt.
  mutating func attempt() throws(CommandFailure) -> Result {
    if let crashEntry = knownCrashEntry { return .known(relabeled(crashEntry)) }
    var entry = blankEntry(line.settings.identity { digests.digest(of: $0, interruption) })
    do throws(CommandFailure) {
      inputMark = try addInputStatus(to: &entry)
      if settings.trustsTimes, isUnchanged(entry) { entry.inputDigest = known?.inputDigest }
      // Without an earlier result, the input is read only once: the encoder computes the digest.
      if entry.inputDigest == nil, known?.outcome == .failed || known?.source != nil {
        entry.inputDigest = try FileDigests.digest(of: line.input, interruption)
      }
      if let result = standingResult(entry) { return result }
      // An interrupted check of the output proves nothing about it.
      if let signal = interruption.signal { throw CommandFailure(signal: signal) }
      try encode(&entry)
    } catch {
      if case .interrupted = error.kind { throw error }
      let mayBeTemporary: Bool
      (entry.outcome, mayBeTemporary) = error.outcome
      // The digest identifies an input that is not tried again.
      if entry.outcome == .failed, entry.inputDigest == nil {
        entry.inputDigest = try? FileDigests.digest(of: line.input, interruption)
      }
      entry.error = (error.keyword, error.commandMessage)
      if error.kind == .busy { outputWasBusy = true }
      // The next attempt may replace an output that this attempt has made.
      if entry.product.digest == nil { keepKnownOutput(&entry) } else { known = entry }
      return .attempted(entry, mayBeTemporary: mayBeTemporary && entry.inputSize != nil)
    }
    return .attempted(entry, mayBeTemporary: false)
  }

  /// Returns a ledger entry for the line without details of the input.
  private func blankEntry(_ identity: String) -> LedgerEntry {
    var entry = LedgerEntry()
    (entry.line, entry.id) = (line.number, line.id)
    (entry.input, entry.output, entry.settings) = (line.input, line.output, identity)
    return entry
  }

  /// Copies the known output into the entry of an attempt that made no output.
  private func keepKnownOutput(_ entry: inout LedgerEntry) {
    guard let known else { return }
    (entry.product, entry.made) = (known.product, known.source)
  }

  // MARK: Lines that need no encoding

  /// Adds the size and the time of the input; returns its mark.
  private func addInputStatus(to entry: inout LedgerEntry) throws(CommandFailure) -> String {
    do throws(SystemError) {
      let status = try System.status(of: line.input)
      if status.kind == .folder { throw .isFolder }
      if status.kind == .file {
        (entry.inputSize, entry.inputTime) = (status.size, status.modified)
        return status.mark
      }
    } catch {
      throw CommandFailure(.open, line.input, error)
    }
    throw CommandFailure(
      .unsupported, "“\(displayed(line.input))” is not a file.",
      .text("Name a regular file, which can be read again for a retry."))
  }

  /// Returns the result if the line needs no encoding.
  private func standingResult(_ entry: LedgerEntry) -> Result? {
    guard let known else { return nil }
    let isKnown = isKnown(entry) && known.inputDigest == entry.inputDigest
    if isKnown, known.outcome == .failed, !settings.retriesFailed {
      return .known(relabeled(known))
    }
    guard isKnown || !known.isMade, let source = known.source,
      source.settings.utf8.elementsEqual(entry.settings.utf8),
      source.inputDigest == entry.inputDigest, hasOutput(of: known)
    else { return nil }
    if isKnown, known.isMade { return .known(relabeled(known)) }
    // The output was made from the present input and settings, and only later attempts failed.
    var entry = entry
    entry.product = known.product
    entry.product.record(try? System.status(of: line.output))
    entry.outcome = source.isDamaged ? .damaged : .done
    return .attempted(entry, mayBeTemporary: false)
  }

  /// Returns whether the ledger entry has the same settings, input path and input size.
  private func isKnown(_ entry: LedgerEntry) -> Bool {
    guard let known else { return false }
    // Compare bytes: equal Unicode texts may be different file names or tags.
    return known.settings.utf8.elementsEqual(entry.settings.utf8)
      && known.input.utf8.elementsEqual(line.input.utf8) && known.inputSize == entry.inputSize
  }

  /// Returns whether the ledger entry has the same settings, and apparently the same input.
  private func isUnchanged(_ entry: LedgerEntry) -> Bool {
    isKnown(entry) && known?.inputTime == entry.inputTime
  }

  /// Returns whether an output still exists with the size in its ledger entry.
  ///
  /// A change that keeps the size is detected only with `verifies`, which reads all outputs.
  private func hasOutput(of known: LedgerEntry) -> Bool {
    if !hasOutputSize(of: known) { return false }
    return !settings.verifies
      || known.product.isVerified
        && (try? FileDigests.digest(of: line.output, interruption)) == known.product.digest
  }

  private func hasOutputSize(of known: LedgerEntry) -> Bool {
    guard let size = known.product.size, let status = try? System.status(of: line.output) else {
      return false
    }
    return status.kind == .file && status.size == size
  }

  /// Returns a known entry with the line number, id and output of this line.
  private func relabeled(_ known: LedgerEntry) -> LedgerEntry {
    var entry = known
    (entry.line, entry.id, entry.output) = (line.number, line.id, line.output)
    return entry
  }

  // MARK: Encoding

  /// Encodes the output, and adds its properties to the entry.
  private func encode(_ entry: inout LedgerEntry) throws(CommandFailure) {
    let command: EncodeCommand
    do throws(UsageError) {
      command = try line.command()
    } catch {
      throw CommandFailure(.unsupported, error.text)
    }
    try refuseToReplace()
    // An output in the ledger is replaced. Any other existing file must have identical bytes: a run
    // that was killed may have written it without a ledger entry.
    let mayReplace = !outputWasBusy && (settings.replacesExisting || known?.product.digest != nil)
    var request = EncodeRequest(
      .file(line.input), to: line.output, command.format ?? .m4a, of: command,
      coverImage: try command.loadCover(interruption))
    request.makesFolders = true
    request.options.replacesExisting = mayReplace
    request.acceptsEqualOutput = !mayReplace
    request.digestsInput = entry.inputDigest == nil
    let summary: AACFile.Summary
    do throws(CommandFailure) {
      var work = try EncodeWork(request, interruption: interruption)
      summary = try work.run { _, _ in }
      if let digest = work.inputDigest { entry.inputDigest = SHA256.text(digest) }
    } catch {
      guard error.kind == .exists, (try? System.status(of: line.output)) != nil else {
        throw error
      }
      throw CommandFailure(
        .exists, "“\(displayed(line.output))” already exists and is not in the ledger.",
        .text("Use --force to replace such files."))
    }
    // Read the status first, so that a change during the digest leaves another mark.
    let status = try? System.status(of: line.output)
    let digest = try FileDigests.digest(of: line.output, interruption)
    entry.outcome = summary.isDamaged ? .damaged : .done
    entry.warnings = summary.warnings
    entry.product.size = summary.byteCount
    entry.product.sampleCount = summary.sampleCount
    entry.product.sampleRate = summary.sampleRate
    entry.product.record(status)
    entry.product.digest = digest
    try requireSameInput(as: entry)
    if settings.verifies { try verify(summary, command.format ?? .m4a, &entry) }
  }

  /// Throws if the output is also read as input, is a file of the run itself, or is not a file.
  private func refuseToReplace() throws(CommandFailure) {
    let advice = CommandFailure.RecoverySuggestion.text("Name another output in the manifest.")
    let own = SourceFiles(settings.ownFiles)
    if let path = [line.output, line.input].first(where: own.contains) {
      throw CommandFailure(
        .exists, "“\(displayed(path))” is a file of this run and cannot be an input or output.",
        advice)
    }
    if SourceFiles([line.input] + line.settings.files).contains(line.output) {
      throw .isInput(line.output, advice)
    }
    guard let kind = (try? System.statusOfLink(line.output))?.kind, kind != .file else { return }
    let name = "“\(displayed(line.output))”"
    // Reject a link to a file: through it, the input of another line could be replaced without
    // being detected.
    guard kind == .link else {
      // Writing to a pipe or a device could block a worker forever.
      throw CommandFailure(.exists, "\(name) is not a file, and was left alone.", advice)
    }
    let target = (try? System.resolved(line.output)).map {
      "“\(displayed($0))”, to which it leads,"
    }
    throw CommandFailure(
      .exists, "\(name) is a symbolic link, and \(target ?? "it") was left alone.",
      .text("Remove the link, or name another output."))
  }

  /// Throws if the input has changed since its digest was computed: otherwise the ledger would
  /// attribute the output to other audio.
  func requireSameInput(as entry: LedgerEntry) throws(CommandFailure) {
    if let status = try? System.status(of: line.input), status.size == entry.inputSize,
      status.modified == entry.inputTime
    {
      if inputMark == nil || inputMark == status.mark { return }
      // Some programs change tags and set the modification time back; others change permissions.
      if try FileDigests.digest(of: line.input, interruption) == entry.inputDigest { return }
    }
    throw .changedDuringRead(line.input)
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
    // decoded: at most three HE-AAC frames and the codec's delay.
    let hasExpectedLength = format == .m4a ? surplus == 0 : (0...8192).contains(surplus)
    if hasExpectedLength, !decoded.isDamaged {
      entry.product.isVerified = true
      return
    }
    throw CommandFailure(
      .cannotRead,
      "“\(displayed(line.output))” decodes to \(QuantityText.count(decoded.sampleCount, "sample")) instead of "
        + "\(summary.sampleCount)"
        + (decoded.isDamaged ? ", and is damaged." : "."),
      .text("Check the disk and the memory of this machine."))
  }

  // MARK: Inputs that crash the program

  /// The key of the line in a `CrashJournal`, from the output, the settings and the state of the
  /// input.
  ///
  /// No file is read for it, not even a file that the settings name: reading may crash the program.
  var crashKey: UInt64 {
    let words = [unreadSettings, line.input, Self.state(of: line.input) ?? ""]
    let bytes = words.flatMap { Array("\0\($0)".utf8) }
    return max(1, ManifestLine.number(of: ManifestLine.normalized(line.output) + bytes))
  }

  /// The settings, with the sizes and times of the files that they name instead of digests.
  private var unreadSettings: String { line.settings.identity(digest: Self.state) }

  private static func state(of path: String) -> String? {
    (try? System.status(of: path)).map { "\($0.size) \($0.modified)" }
  }

  /// Returns the entry for an input that crashed the program and is not retried.
  ///
  /// Returns nil if the input is not a regular file: then another attempt shows the error. Also
  /// returns nil if the output is already done: the input did not crash the program then, and kills
  /// of other causes must not make the line fail. No file is read.
  func giveUp() -> LedgerEntry? {
    guard var entry = unreadEntry else { return nil }
    if let known, known.isMade, isUnchanged(entry), hasOutputSize(of: known) { return nil }
    entry.outcome = .failed
    entry.attemptCount = crashCount
    entry.error = (
      LedgerEntry.endedProgramKeyword,
      "“\(displayed(line.input))” crashed the program \(crashCount) times, the last time while it was the only "
        + "file in progress. It is skipped; --retry-failed retries it."
    )
    keepKnownOutput(&entry)
    return entry
  }

  /// The entry of the line without digests; nil if the input is not a regular file.
  private var unreadEntry: LedgerEntry? {
    var entry = blankEntry(unreadSettings)
    _ = try? addInputStatus(to: &entry)
    return entry.inputSize == nil ? nil : entry
  }

  /// The failed ledger entry of an input that crashed the program, if input and settings are
  /// unchanged.
  private var knownCrashEntry: LedgerEntry? {
    guard let known, known.outcome == .failed, !settings.retriesFailed,
      known.error?.keyword == LedgerEntry.endedProgramKeyword, let entry = unreadEntry,
      isUnchanged(entry)
    else { return nil }
    return known
  }
}

extension LedgerEntry {
  /// The error word for an input that crashed the program repeatedly.
  static let endedProgramKeyword = "ended-program"
}

extension CommandFailure {
  /// The outcome of a line with this failure, and whether it may be temporary.
  fileprivate var outcome: (LedgerEntry.Outcome, mayBeTemporary: Bool) {
    switch kind {
    // The input or the settings cause the failure, so a retry would fail again.
    case .badInput, .unsupported, .effects(.invalidDescription): (.failed, false)
    case .exists, .interrupted, .effects(.missing): (.postponed, false)
    // Permissions and the path do not change by themselves.
    case .cannotRead, .cannotWrite, .busy, .noThread:
      switch systemError {
      case .accessDenied, .notPermitted, .notFolder, .isFolder, .readOnly, .nameTooLong,
        .tooManyLinks:
        (.postponed, false)
      default: (.postponed, true)
      }
    }
  }
}

/// SHA-256 digests of files that many lines name, such as covers.
final class FileDigests: Sendable {
  private let known = Lock<[String: (status: System.FileStatus, digest: String)]>([:])

  /// The maximum number of cached digests.
  private static let limit = 1024

  /// Returns the digest of a file, or nil if it cannot be read; an unchanged file is not read again.
  func digest(of path: String, _ interruption: Interruption) -> String? {
    guard let status = try? System.status(of: path), status.kind == .file else { return nil }
    if let known = known.withLock({ $0[path] }), known.status == status { return known.digest }
    guard let digest = try? Self.digest(of: path, interruption) else { return nil }
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[path] = (status, digest)
    }
    return digest
  }

  /// Computes the digest of a file.
  static func digest(
    of path: String, _ interruption: Interruption
  ) throws(CommandFailure) -> String {
    let file = try InputFile(path, interruption: interruption)
    if file.size == nil {
      throw CommandFailure(.cannotRead, "“\(displayed(path))” is not a file.")
    }
    var digest = SHA256()
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try file.read(into: &block)
      if count == 0 { return SHA256.text(digest.finish()) }
      digest.append(block[..<count])
    }
  }
}
