import AacornRecording
import AacornSystem

extension BatchRun {
  /// Reports a line that cannot be parsed.
  ///
  /// No ledger entry is written, because the output of the line is unknown.
  func report(_ fault: ManifestLine.Fault, _ number: Int) {
    var entry = LedgerEntry()
    entry.line = number
    entry.outcome = .failed
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    entry.error = (CommandFailure(.badInput, "").keyword, "The line \(fault.text).")
    report(entry)
    updateTally { $0.failedCount += 1 }
  }

  /// Prints the ledger entry of a finished line to standard output.
  func print(_ entry: LedgerEntry) {
    console.print(entry.text)
    // Flush, because the reader of the output may be waiting for this entry.
    console.output.flush()
  }

  /// Reports a finished line to the user, and to programs if entries are printed.
  func report(_ entry: LedgerEntry) {
    progress.clear()
    if settings.printsEntries { print(entry) }
    let prefix = "Line \(entry.line): "
    if let error = entry.error {
      console.printError(prefix + error.message)
    } else if !settings.isQuiet {
      for warning in entry.warnings { console.printError(prefix + "Warning: " + warning) }
    }
  }
}
