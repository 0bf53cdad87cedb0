import AacornRecording
import AacornSystem

extension BatchRun {
  /// Reports a line that cannot be parsed.
  ///
  /// It has no output under which a ledger could store it.
  func tell(_ fault: ManifestLine.Fault, _ number: Int) {
    var entry = LedgerEntry()
    entry.line = number
    entry.outcome = .failed
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    entry.error = (CommandFailure(.badInput, "").word, "The line \(fault.words).")
    tell(entry)
    note { $0.failedCount += 1 }
  }

  /// Prints the ledger entry of a finished line to standard output.
  func print(_ entry: LedgerEntry) {
    console.print(entry.text)
    // The reader may wait for this line.
    console.output.flush()
  }

  /// Reports a finished line to the user, and to programs if entries are printed.
  func tell(_ entry: LedgerEntry) {
    progress.clear()
    if settings.printsEntries { print(entry) }
    let place = "Line \(entry.line): "
    if let error = entry.error {
      console.printError(place + error.sentence)
    } else if !settings.isQuiet {
      for warning in entry.warnings { console.printError(place + "Warning: " + warning) }
    }
  }
}
