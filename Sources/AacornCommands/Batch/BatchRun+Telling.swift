import AacornRecording
import AacornSystem

extension BatchRun {
  /// Tells of a line that cannot be read; there is no output by which a ledger could know it.
  func tell(_ fault: ManifestLine.Fault, _ number: Int) {
    var entry = LedgerEntry()
    entry.line = number
    entry.outcome = .failed
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    entry.error = (CommandFailure(.badInput, "").word, "The line \(fault.words).")
    tell(entry)
    note { $0.failedCount += 1 }
  }

  /// Tells programs of a line that is over.
  func print(_ entry: LedgerEntry) {
    console.print(entry.text)
    // Whoever reads may wait for it.
    console.output.flush()
  }

  /// Tells everybody of a line that is over.
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
