import AacornRecording
import AacornSoundFiles
import AacornSystem

/// The work on one line: encodes the output unless it already exists.
struct BatchWork {
  let line: ManifestLine
  let settings: BatchCommand
  /// The ledger entry of the output; nil if there is no entry.
  var known: LedgerEntry?
  let interruption: Interruption
  /// Whether another program was writing the output in an earlier attempt.
  ///
  /// If so, the output is not replaced.
  var outputWasBusy = false

  /// The result of the work on a line.
  enum Result {
    /// Not tried: the result in the ledger, made or failed, still applies.
    case known(LedgerEntry)
    /// Tried; `mayBeTemporary` means that it failed for a reason that may be temporary.
    case attempted(LedgerEntry, mayBeTemporary: Bool)
  }

  /// Makes one attempt.
  mutating func attempt() throws(CommandFailure) -> Result {
    var entry = LedgerEntry()
    (entry.line, entry.id) = (line.number, line.id)
    (entry.input, entry.output) = (line.input, line.output)
    entry.ended = known?.ended
    entry.settings = line.settings.identity { path in
      (try? System.status(of: path)).map { "\($0.size) \($0.modified)" }
    }
    do throws(CommandFailure) {
      try addInputStatus(to: &entry)
      if var known, isFinished(known, entry) {
        (known.line, known.id, known.output) = (line.number, line.id, line.output)
        return .known(known)
      }
      // An interrupted check of the output proves nothing about it.
      if let signal = interruption.signal { throw CommandFailure(signal: signal) }
      try encode(&entry)
    } catch {
      if case .interrupted = error.kind { throw error }
      let mayBeTemporary: Bool
      (entry.outcome, mayBeTemporary) = error.outcome
      entry.error = (error.keyword, error.commandMessage)
      if error.kind == .busy { outputWasBusy = true }
      if entry.product.size != nil {
        // The next attempt may replace an output that this attempt has made.
        known = entry
      } else if let known, entry.outcome == .failed || !known.isMade {
        // This line hides the known one, so the next run learns from it which output to replace.
        entry.product = known.product
      }
      return .attempted(entry, mayBeTemporary: mayBeTemporary && entry.inputSize != nil)
    }
    return .attempted(entry, mayBeTemporary: false)
  }

  /// Adds the size and the time of the input.
  private func addInputStatus(to entry: inout LedgerEntry) throws(CommandFailure) {
    do throws(SystemError) {
      let status = try System.status(of: line.input)
      if status.kind == .folder { throw .isFolder }
      if status.kind == .file {
        (entry.inputSize, entry.inputTime) = (status.size, status.modified)
        return
      }
    } catch {
      throw CommandFailure(.open, line.input, because: error)
    }
    throw CommandFailure(
      .unsupported, "“\(displayed(line.input))” is not a file.",
      suggestion: .text("Name a regular file, which can be read again for a retry."))
  }

  /// Returns whether the ledger entry still applies: input and settings are the same, and the output
  /// exists with its size, unless the input failed.
  ///
  /// An input is the same if its size and time are. With `verifies`, the digests of input and output
  /// decide, and both files are read.
  private func isFinished(_ known: LedgerEntry, _ entry: LedgerEntry) -> Bool {
    // Compare bytes: equal Unicode texts may be different file names or tags.
    guard known.settings.utf8.elementsEqual(entry.settings.utf8),
      known.input.utf8.elementsEqual(line.input.utf8), known.inputSize == entry.inputSize
    else { return false }
    if known.outcome == .failed {
      return !settings.retriesFailed && known.inputTime == entry.inputTime
    }
    guard known.isMade, let status = try? System.status(of: line.output), status.kind == .file,
      status.size == known.product.size
    else { return false }
    if !settings.verifies { return known.inputTime == entry.inputTime }
    return hasDigest(known.inputDigest, line.input) && hasDigest(known.product.digest, line.output)
  }

  /// Returns whether a file has a digest that is known.
  private func hasDigest(_ digest: String?, _ path: String) -> Bool {
    guard let digest else { return false }
    return (try? Self.digest(of: path, interruption)) == digest
  }

  // MARK: Encoding

  /// Encodes the output, and adds its properties to the entry.
  private func encode(_ entry: inout LedgerEntry) throws(CommandFailure) {
    let command = try rethrow(
      as: { (error: UsageError) in CommandFailure(.unsupported, error.text) }, line.command())
    try refuseToReplace()
    // An output in the ledger is replaced. Any other existing file must have identical bytes: a run
    // that was killed may have written it without a ledger entry.
    let mayReplace = !outputWasBusy && (settings.replacesExisting || known?.product.size != nil)
    let format = command.format ?? .m4a
    var request = EncodeRequest(
      .file(line.input), to: line.output, format, of: command,
      coverImage: try command.loadCover(interruption))
    request.makesFolders = true
    request.options.replacesExisting = mayReplace
    request.acceptsEqualOutput = !mayReplace
    request.digestsInput = settings.verifies
    let summary: AACFile.Summary
    do throws(CommandFailure) {
      var work = try EncodeWork(request, interruption: interruption)
      summary = try work.run { _, _ in }
      entry.inputDigest = work.inputDigest.map(SHA256.text)
    } catch {
      guard error.kind == .exists, (try? System.status(of: line.output)) != nil else {
        throw error
      }
      throw CommandFailure(
        .exists, "“\(displayed(line.output))” already exists and is not in the ledger.",
        suggestion: .text("Use --force to replace such files."))
    }
    entry.outcome = summary.isDamaged ? .damaged : .done
    entry.warnings = summary.warnings
    entry.product = LedgerEntry.Product(
      size: summary.byteCount, sampleCount: summary.sampleCount, sampleRate: summary.sampleRate)
    if settings.verifies {
      try verify(summary, format)
      entry.product.digest = try Self.digest(of: line.output, interruption)
    }
  }

  /// Throws if the output is also read as input, is a file of the run itself, or is not a file.
  private func refuseToReplace() throws(CommandFailure) {
    let advice = CommandFailure.RecoverySuggestion.text("Name another output in the manifest.")
    let own = SourceFiles(settings.ownFiles)
    if let path = [line.output, line.input].first(where: own.contains) {
      throw CommandFailure(
        .exists, "“\(displayed(path))” is a file of this run and cannot be an input or output.",
        suggestion: advice)
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
      throw CommandFailure(
        .exists, "\(name) is not a file, and was left alone.", suggestion: advice)
    }
    let target = (try? System.resolved(line.output)).map {
      "“\(displayed($0))”, to which it leads,"
    }
    throw CommandFailure(
      .exists, "\(name) is a symbolic link, and \(target ?? "it") was left alone.",
      suggestion: .text("Remove the link, or name another output."))
  }

  /// Decodes the output and compares its number of samples.
  private func verify(
    _ summary: AACFile.Summary, _ format: OutputFormat
  ) throws(CommandFailure) {
    let request = DecodeRequest(line.output, to: "/dev/null", .raw)
    var work = try DecodeWork(request, interruption: interruption)
    let decoded = try work.run { _, _ in }
    let surplus = decoded.sampleCount - summary.sampleCount
    // A raw stream does not state its priming and padding, so all samples of its frames are
    // decoded: at most three HE-AAC frames and the codec's delay.
    let hasExpectedLength = format == .m4a ? surplus == 0 : (0...8192).contains(surplus)
    if hasExpectedLength, !decoded.isDamaged { return }
    throw CommandFailure(
      .cannotRead,
      "“\(displayed(line.output))” decodes to \(QuantityText.count(decoded.sampleCount, "sample")) instead of "
        + "\(summary.sampleCount)"
        + (decoded.isDamaged ? ", and is damaged." : "."),
      suggestion: .text("Check the disk and the memory of this machine."))
  }

  /// Computes the digest of a file.
  static func digest(
    of path: String, _ interruption: Interruption
  ) throws(CommandFailure) -> String {
    let file = try InputFile(path, interruption: interruption)
    var digest = SHA256()
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try file.read(into: &block)
      if count == 0 { return SHA256.text(digest.finish()) }
      digest.append(block[..<count])
    }
  }
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
