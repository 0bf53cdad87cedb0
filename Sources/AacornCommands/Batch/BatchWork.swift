import AacornCodec
import AacornRecording
import AacornSoundFiles
import AacornSystem

/// Makes the output of one line, unless it is there already.
struct BatchWork {
  let line: ManifestLine
  let settings: BatchSettings
  /// What the ledger says of the output; nil if nothing.
  let known: LedgerEntry?
  let wishes: Wishes
  let interruption: Interruption

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
  }

  /// What became of a line.
  enum Result {
    /// It had been done before, with the same input and settings.
    case skipped
    /// It failed before, for a reason that has not gone away.
    case stillFailed(LedgerEntry)
    /// It was tried; if it failed, the same may succeed a moment later.
    case made(LedgerEntry, mayPass: Bool)
  }

  /// Does it, once.
  func run() throws(CommandFailure) -> Result {
    var entry = LedgerEntry()
    entry.line = line.number
    entry.id = line.id
    entry.input = line.input
    entry.output = line.output
    entry.settings = settings.identity
    do throws(CommandFailure) {
      if let result = try passOver(&entry) { return result }
      try make(&entry)
    } catch {
      if case .interrupted = error.kind { throw error }
      entry.outcome = error.isLasting ? .failed : .postponed
      entry.error = (error.word, error.commandSentence)
      return .made(entry, mayPass: error.mayPass && entry.inputSize != nil)
    }
    return .made(entry, mayPass: false)
  }

  /// The result if there is nothing to do; otherwise names the input.
  private func passOver(_ entry: inout LedgerEntry) throws(CommandFailure) -> Result? {
    let status: System.FileStatus
    do throws(SystemError) {
      status = try System.status(of: line.input)
    } catch {
      throw CommandFailure(.open, line.input, error)
    }
    if status.kind != .file { throw notAFile(status.kind) }
    entry.inputSize = status.size
    entry.inputTime = status.modified
    let isSame = known.map { known in
      known.settings == entry.settings && known.input == ManifestLine.inJSON(line.input)
        && known.inputSize == status.size
    }
    if isSame == true, wishes.trustsTimes, known?.inputTime == status.modified {
      entry.inputDigest = known?.inputDigest
    } else {
      entry.inputDigest = try digest(of: line.input)
    }
    guard isSame == true, let known, known.inputDigest == entry.inputDigest else { return nil }
    switch known.outcome {
    case .failed: return wishes.retriesFailed ? nil : .stillFailed(known)
    case .postponed: return nil
    case .done, .damaged:
      // What somebody has removed, cut or replaced since is made again.
      guard let output = try? System.status(of: line.output), output.size == known.outputSize else {
        return nil
      }
      if wishes.verifies && !known.isVerified { return nil }
      return .skipped
    }
  }

  private func notAFile(_ kind: System.FileStatus.Kind) -> CommandFailure {
    kind == .folder
      ? CommandFailure(.open, line.input, .isFolder)
      : CommandFailure(
        .unsupported, "“\(displayed(line.input))” is not a file.",
        .words("A manifest names files, which can be read again when something fails."))
  }

  private func digest(of path: String) throws(CommandFailure) -> String {
    let file = try InputFile(path, interruption: interruption)
    var digest = SHA256()
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try file.read(into: &block)
      if count == 0 { return SHA256.text(digest.finish()) }
      digest.append(block[..<count])
      if let signal = interruption.signal { throw CommandFailure(signal: signal) }
    }
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
    let coverImage = try command.loadCover(interruption)
    var request = EncodeRequest(item, of: command, coverImage: coverImage)
    request.makesFolders = wishes.makesFolders
    // What a ledger knows is ours to replace; so is what has the very bytes that would replace it.
    request.replacesExisting = wishes.replacesExisting || known?.outputDigest != nil
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
    entry.outputDigest = try digest(of: line.output)
    if wishes.verifies { try verify(summary, item.format, &entry) }
  }

  /// Encodes beside a file that is there, and takes it for ours if it has the same bytes: a run that
  /// was cut off may have made it without telling its ledger.
  private func compare(_ request: EncodeRequest) throws(CommandFailure) -> AACFile.Summary {
    let trial = line.output + ".aacorn-\(System.processNumber)-\(line.number)"
    defer { try? System.remove(trial) }
    var copy = EncodeRequest(request.origin, to: trial, request.format)
    copy.rawFormat = request.rawFormat
    copy.options = request.options
    copy.tags = request.tags
    copy.threadCount = request.threadCount
    var work = try EncodeWork(copy, interruption: interruption)
    let summary = try work.run { _, _ in }
    let isSame = try digest(of: trial) == digest(of: line.output)
    if isSame { return summary }
    throw CommandFailure(
      .exists, "“\(displayed(line.output))” already exists, and no ledger knows it.",
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
      "“\(displayed(line.output))” decodes to \(decoded.sampleCount) samples instead of "
        + "\(summary.sampleCount)"
        + (decoded.isDamaged ? ", and is damaged." : "."),
      .words("Check the disk and the memory of this machine."))
  }

  /// Samples of three frames of HE-AAC and its delay.
  private static let mostSurplus = 8192
}

extension CommandFailure {
  /// Whether it is a matter of the input and the settings alone, so that the same would fail again.
  fileprivate var isLasting: Bool {
    switch kind {
    case .badInput, .unsupported, .effects(.mistake): true
    case .cannotRead, .cannotWrite, .busy, .noThread, .exists, .interrupted,
      .effects(.missing):
      false
    }
  }

  /// Whether it may be over in a moment.
  fileprivate var mayPass: Bool {
    switch kind {
    case .cannotRead, .cannotWrite, .busy, .noThread: true
    case .badInput, .unsupported, .effects, .exists, .interrupted: false
    }
  }
}
