import AacornCodec
import AacornRecording
import AacornSoundFiles
import AacornSystem

/// Makes the output of one line, unless it is there already.
struct BatchWork {
  let line: ManifestLine
  let settings: BatchSettings
  /// What the ledger says of the output; nil if nothing.
  var known: LedgerEntry?
  let wishes: Wishes
  /// Digests of covers and other files that many lines name.
  let digests: FileDigests
  let interruption: Interruption
  /// Whether another program was writing the output when it was tried before: what that has made since
  /// is not replaced.
  var outputWasTaken = false

  /// What applies to all lines.
  struct Wishes: Equatable, Sendable {
    var replacesExisting = false
    var makesFolders = false
    /// Whether outputs are decoded and compared with their inputs.
    var verifies = false
    /// Whether inputs that failed for good are tried again.
    var retriesFailed = false
    /// Whether an input of the same size and time is taken for the same.
    var trustsTimes = false
    /// Files that the run itself needs, which no line replaces.
    var ownFiles: [String] = []
  }

  /// What became of a line.
  enum Result {
    /// It had been done before, with the same input and settings.
    case skipped(LedgerEntry)
    /// It failed before, for a reason that has not gone away.
    case stillFailed(LedgerEntry)
    /// It was tried; if it failed, the same may succeed a moment later.
    case made(LedgerEntry, mayPass: Bool)
  }

  /// Does it, once; `begin` is called before anything is read, which may end the program, and maybe again.
  func run(begin: () -> Void) throws(CommandFailure) -> Result {
    if let verdict = standingVerdict { return .stillFailed(retold(verdict)) }
    var entry = blankEntry(
      identity: settings.identity { digests.digest(of: $0, interruption, begin: begin) })
    do throws(CommandFailure) {
      if let result = try passOver(&entry, begin) { return result }
      begin()
      try make(&entry)
    } catch {
      if case .interrupted = error.kind { throw error }
      entry.outcome = error.isLasting ? .failed : .postponed
      entry.error = (error.word, error.commandSentence)
      if entry.outputDigest == nil { keepKnownOutput(&entry) }
      return .made(entry, mayPass: error.mayPass && entry.inputSize != nil && !isBarred(error))
    }
    return .made(entry, mayPass: false)
  }

  /// What a ledger says of the line before anything is known of its input.
  func blankEntry(identity: String) -> LedgerEntry {
    var entry = LedgerEntry()
    entry.line = line.number
    entry.id = line.id
    entry.input = line.input
    entry.output = line.output
    entry.settings = identity
    return entry
  }

  /// Has an attempt without an output tell of the one that is there from before.
  func keepKnownOutput(_ entry: inout LedgerEntry) {
    guard let known else { return }
    entry.keepOutput(of: known)
    entry.made = known.source
  }

  /// The result if there is nothing to do; otherwise names the input.
  private func passOver(
    _ entry: inout LedgerEntry, _ begin: () -> Void
  ) throws(CommandFailure) -> Result? {
    let status: System.FileStatus
    do throws(SystemError) {
      status = try System.status(of: line.input)
    } catch {
      throw CommandFailure(.open, line.input, error)
    }
    if status.kind != .file { throw Self.notAFile(line.input, status.kind) }
    entry.inputSize = status.size
    entry.inputTime = status.modified
    let isSame = isKnown(entry)
    if isSame, wishes.trustsTimes, known?.inputTime == entry.inputTime,
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
      if isKnown, try hasOutput(of: known, begin) { return .skipped(retold(known)) }
      return nil
    case .failed where isKnown && !wishes.retriesFailed: return .stillFailed(retold(known))
    case .failed, .postponed: return try restored(known, entry, begin)
    }
  }

  /// Whether the ledger tells of the same settings, and of an input of the same name and size.
  func isKnown(_ entry: LedgerEntry) -> Bool {
    guard let known else { return false }
    // Texts that look alike may be different names, and different tags.
    return known.settings.utf8.elementsEqual(entry.settings.utf8)
      && known.input.utf8.elementsEqual(line.input.utf8) && known.inputSize == entry.inputSize
  }

  /// Whether an output is there; what somebody has removed, cut or replaced since is made again.
  ///
  /// What keeps its size but not its bytes is only found where outputs are verified, for which all of
  /// them are read.
  private func hasOutput(
    of known: LedgerEntry, _ begin: () -> Void
  ) throws(CommandFailure) -> Bool {
    guard let output = try? System.status(of: line.output), output.size == known.outputSize else {
      return false
    }
    if !wishes.verifies { return true }
    if !known.isVerified { return false }
    begin()
    do throws(CommandFailure) {
      return try digests.makeDigest(of: line.output, interruption) == known.outputDigest
    } catch {
      if case .interrupted = error.kind { throw error }
      return false
    }
  }

  /// What is known, as told of this line.
  private func retold(_ known: LedgerEntry) -> LedgerEntry {
    var entry = known
    entry.line = line.number
    entry.id = line.id
    entry.output = line.output
    return entry
  }

  /// The result if an attempt has failed since the output was made, and input and settings are again
  /// what they were then.
  private func restored(
    _ known: LedgerEntry, _ entry: LedgerEntry, _ begin: () -> Void
  ) throws(CommandFailure) -> Result? {
    guard let made = known.made, made.settings.utf8.elementsEqual(entry.settings.utf8),
      made.inputDigest == entry.inputDigest, try hasOutput(of: known, begin)
    else { return nil }
    var entry = entry
    entry.keepOutput(of: known)
    entry.noteOutput(try? System.status(of: line.output))
    entry.outcome = made.isDamaged ? .damaged : .done
    return .made(entry, mayPass: false)
  }

  private static func notAFile(
    _ path: String, _ kind: System.FileStatus.Kind
  ) -> CommandFailure {
    kind == .folder
      ? CommandFailure(.open, path, .isFolder)
      : CommandFailure(
        .unsupported, "“\(displayed(path))” is not a file.",
        .words("Name a regular file, which can be read again for a retry."))
  }

  /// Refuses an output that is what is read for it, or what the run itself needs.
  private func refuseToReplace(_ command: EncodeCommand) throws(CommandFailure) {
    let advice = CommandFailure.Advice.words("Name another output in the manifest.")
    let own = SourceFiles(wishes.ownFiles)
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
    // Through a link the input of another line could be replaced, which nobody would notice.
    guard (try? System.statusOfLink(line.output))?.kind == .link,
      let target = try? System.resolved(line.output),
      (try? System.status(of: target))?.kind == .file
    else { return }
    throw CommandFailure(
      .exists,
      "“\(displayed(line.output))” is a symbolic link, and “\(displayed(target))”, to which it "
        + "leads, was left alone.", .words("Remove the link, or name another output."))
  }

  private func make(_ entry: inout LedgerEntry) throws(CommandFailure) {
    let command: EncodeCommand
    let item: EncodePlan.Item
    do throws(UsageError) {
      command = try settings.command()
      let format = try EncodePlan.format(of: command, for: line.output)
      item = EncodePlan.Item(source: .file(line.input), output: line.output, format: format)
    } catch {
      throw CommandFailure(.unsupported, error.sentence)
    }
    try refuseToReplace(command)
    // A worker would wait for a named pipe without end.
    if let path = command.tags.coverPath, let kind = try? System.status(of: path).kind,
      kind != .file
    {
      throw Self.notAFile(path, kind)
    }
    let coverImage = try command.loadCover(interruption)
    var request = EncodeRequest(item, of: command, coverImage: coverImage)
    request.makesFolders = wishes.makesFolders
    // What a ledger knows is ours to replace; so is what has the very bytes that would replace it.
    request.replacesExisting =
      !outputWasTaken && (wishes.replacesExisting || known?.outputDigest != nil)
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
    entry.noteOutput(try? System.status(of: line.output))
    entry.outputDigest = try digests.makeDigest(of: line.output, interruption)
    try requireSameInput(as: entry)
    if wishes.verifies { try verify(summary, item.format, &entry) }
  }

  /// Encodes beside a file that is there, and takes it for ours if it has the same bytes: a run that
  /// was cut off may have made it without telling its ledger.
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
      .words("Use --force to replace such files."))
  }

  /// Decodes the output, and compares how long it is.
  private func verify(
    _ summary: AACFile.Summary, _ format: OutputFormat, _ entry: inout LedgerEntry
  ) throws(CommandFailure) {
    let request = DecodeRequest(line.output, to: "/dev/null", .raw)
    var work = try DecodeWork(request, interruption: interruption)
    let decoded = try work.run { _, _ in }
    let surplus = decoded.sampleCount - summary.sampleCount
    // A bare stream does not say what comes before and behind the sound: frames that are not full.
    let isRight = format == .m4a ? surplus == 0 : (0...Self.mostSurplus).contains(surplus)
    if isRight, !decoded.isDamaged {
      entry.isVerified = true
      return
    }
    throw CommandFailure(
      .cannotRead,
      "“\(displayed(line.output))” decodes to \(QuantityText.count(decoded.sampleCount, "sample")) instead of "
        + "\(summary.sampleCount)"
        + (decoded.isDamaged ? ", and is damaged." : "."),
      .words("Check the disk and the memory of this machine."))
  }

  /// Samples of three frames of HE-AAC and its delay.
  private static let mostSurplus = 8192
}
