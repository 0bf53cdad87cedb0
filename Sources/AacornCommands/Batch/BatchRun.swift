import AacornRecording
import AacornSystem

/// A run that encodes the lines of a shard, several in parallel.
final class BatchRun: Sendable {
  /// The number of consecutive write errors that ends the run: the disk is full or disconnected.
  static let maxUnwrittenCount = 16

  private let settings: BatchCommand
  private let console: Console
  private let ledger: Ledger?
  private let progress: BatchProgress
  private let state = Lock(State())
  /// The number of lines in this part; nil if `ManifestCheck` did not check the manifest, because
  /// it is read from standard input.
  private let total: Int?

  private struct State {
    var unwrittenCount = 0
    /// The error that ended the run.
    var failure: CommandFailure?
  }

  init(_ settings: BatchCommand, ledger: Ledger?, total: Int?, in console: Console) {
    self.settings = settings
    self.console = console
    self.ledger = ledger
    self.total = total
    progress = BatchProgress(settings, total: total, in: console)
  }

  /// Encodes the lines of a manifest that belong to the shard, reports the result, and returns the
  /// exit status.
  func run(_ manifest: sending LineReader) -> ExitStatus {
    let manifest = Lock<LineReader?>(manifest)
    Workers.run(settings.jobCount) { [self] in
      while let work = manifest.withLock({ nextWork(&$0) }) { encode(work) }
    }
    let status = finish()
    if settings.printsEntries {
      console.print(progress.tally.json(elapsed: progress.elapsed))
    } else if !settings.isQuiet && total != nil {
      console.print(progress.tally.summary(elapsed: progress.elapsed))
      if let ledger, !isStopped {
        console.print("The results of the lines are in \(displayed(ledger.path)).")
      }
    }
    return status
  }

  // MARK: Lines

  /// Returns the work on the next line, or nil at the end; then the manifest becomes nil.
  ///
  /// Only one thread calls this at a time.
  private func nextWork(_ manifest: inout LineReader?) -> BatchWork? {
    do throws(CommandFailure) {
      while !isEnding, let next = try manifest?.next() {
        guard let line = try line(next), settings.shard.contains(line.outputNumber) else {
          continue
        }
        return BatchWork(
          line: line, settings: settings, known: ledger?.lastEntry(about: line.output),
          interruption: console.interruption)
      }
    } catch {
      stop(error)
    }
    manifest = nil
    return nil
  }

  /// Parses a line; reports an invalid one and returns nil, unless the manifest was checked.
  private func line(_ next: LineReader.Line) throws(CommandFailure) -> ManifestLine? {
    do throws(ManifestLine.Fault) {
      return try ManifestLine(next.bytes, number: next.number, settings)
    } catch {
      if total != nil {
        // The line has changed since the check. The run ends here, so the code must not be 1.
        throw CommandFailure(.cannotRead, "Line \(next.number) of the manifest \(error.text).")
      }
      // No ledger entry is written, because the output of the line is unknown.
      var entry = LedgerEntry()
      (entry.line, entry.outcome) = (next.number, .failed)
      entry.ended = Timestamp.iso8601(System.wallNanoseconds)
      entry.error = (CommandFailure.Kind.badInput.keyword, "The line \(error.text).")
      reportKnown(entry)
      return nil
    }
  }

  private func encode(_ work: BatchWork) {
    var work = work
    var elapsed = 0.0
    var attemptCount = 1
    while true {
      let start = System.seconds
      // If the run is ending, the line counts as not begun.
      guard let result = try? work.attempt() else { return }
      elapsed += System.seconds - start
      guard case .attempted(var entry, let mayBeTemporary) = result else {
        if case .known(let entry) = result { reportKnown(entry) }
        return
      }
      if mayBeTemporary, attemptCount <= settings.retryCount {
        // Wait for a busy server or disk: 1 s before the first retry, doubled for each further one,
        // up to 32 s.
        let deadline = System.seconds + Double(1 << min(attemptCount - 1, 5))
        while !isEnding, System.seconds < deadline { System.sleep(milliseconds: 50) }
        if !isEnding {
          attemptCount += 1
          continue
        }
      }
      (entry.attemptCount, entry.elapsed) = (attemptCount, elapsed)
      return record(entry)
    }
  }

  // MARK: Results

  /// Writes a finished line to the ledger, and reports it.
  private func record(_ entry: LedgerEntry) {
    var entry = entry
    entry.end(at: Timestamp.iso8601(System.wallNanoseconds))
    do throws(CommandFailure) {
      try ledger?.append(entry)
    } catch {
      // The output is on disk, so nothing is lost: the next run finds it and adds it to the ledger.
      return stop(error)
    }
    report(entry)
    progress.update { $0.add(entry) }
    let isUnwritten = entry.error?.keyword == CommandFailure.Kind.cannotWrite.keyword
    let mustStop = state.withLock { state in
      state.unwrittenCount = isUnwritten ? state.unwrittenCount + 1 : 0
      return state.unwrittenCount >= Self.maxUnwrittenCount
    }
    if mustStop {
      stop(
        CommandFailure(
          .cannotWrite,
          "\(Self.maxUnwrittenCount) outputs in a row could not be written, so the run ends here.",
          suggestion: .text("See the last messages. The next run resumes.")))
    }
  }

  /// Reports a line that was not tried.
  private func reportKnown(_ entry: LedgerEntry) {
    if !entry.isMade {
      report(entry)
    } else if total == nil {
      print(entry)
    }
    progress.update { $0.addKnown(entry.outcome) }
  }

  /// Reports a finished line to the user, and to programs if entries are printed.
  private func report(_ entry: LedgerEntry) {
    progress.clear()
    if settings.printsEntries || total == nil { print(entry) }
    let prefix = "Line \(entry.line): "
    // The texts may be from a ledger, and anyone may have written that.
    if let error = entry.error {
      console.printError(prefix + displayed(error.message))
    } else if !settings.isQuiet {
      for warning in entry.warnings {
        console.printError(prefix + "Warning: " + displayed(warning))
      }
    }
  }

  /// Prints the ledger entry of a finished line to standard output.
  private func print(_ entry: LedgerEntry) {
    console.print(entry.json)
    // Flush, because the reader of the output may be waiting for this entry.
    console.output.flush()
  }

  // MARK: The end

  /// Ends the run: lines in progress are finished, and no new line is begun.
  private func stop(_ failure: CommandFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Whether an error has ended the run early.
  private var isStopped: Bool { state.withLock { $0.failure != nil } }

  /// Whether no new line is begun, because of a signal or because the run was stopped.
  private var isEnding: Bool { console.interruption.signal != nil || isStopped }

  /// Finishes the ledger, reports errors, and returns the exit status.
  private func finish() -> ExitStatus {
    if let ledger {
      do throws(CommandFailure) { try ledger.synchronize() } catch { stop(error) }
    }
    let tally = progress.tally
    if let total, tally.count != total, !isEnding {
      let message = "The manifest was changed by another program during the run."
      stop(CommandFailure(.cannotRead, message, suggestion: .text("Run it again.")))
    }
    progress.clear()
    if let failure = state.withLock(\.failure) {
      console.printError(failure.commandMessage)
      return failure.exitStatus
    }
    if let signal = console.interruption.signal {
      if signal != System.pipeSignal {
        console.printError(
          "Stopped after \(QuantityText.count(tally.count, "line")). Finished lines are kept. The "
            + "next run resumes.")
      }
      return .interrupted(by: signal)
    }
    return tally.hasFailures ? .failed : .success
  }
}
