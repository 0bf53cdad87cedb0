import AacornRecording
import AacornSystem

extension Ledger {
  /// Calls `body` with each entry that this run has written, and its offset, on several threads.
  ///
  /// Entries written during the call are not included. The first error ends the iteration. Throws
  /// if the lines in the file differ from the written lines; `body` may already have received some
  /// of them.
  func forEachOwnEntry(
    jobCount: Int, _ interruption: Interruption,
    _ body: @escaping @Sendable (LedgerEntry, Int) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    guard let (places, written) = ownLines, !places.isEmpty else { return }
    let reading = Lock(
      RunEntries(
        lines: try LedgerLines(path, interruption, from: places.lowerBound), end: places.upperBound)
    )
    let failure = Lock<CommandFailure?>(nil)
    BatchWorkers.run(jobCount) { [self] _ in
      do throws(CommandFailure) {
        while failure.withLock({ $0 == nil }) {
          let next = try reading.withLock { (reading) throws(CommandFailure) in
            try reading.next()
          }
          guard let (bytes, offset) = next else { return }
          guard let entry = LedgerEntry(bytes) else { throw damageError("was changed") }
          try body(entry, offset)
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    if reading.withLock(\.digest) != written { throw damageError("was changed") }
  }
}

/// The lines of this run, as they are in the file now.
private struct RunEntries {
  let lines: LedgerLines
  let end: Int
  private(set) var digest = LineDigest()

  init(lines: LedgerLines, end: Int) {
    self.lines = lines
    self.end = end
  }

  mutating func next() throws(CommandFailure) -> (bytes: ArraySlice<UInt8>, offset: Int)? {
    guard let (bytes, offset) = try lines.next(), offset < end else { return nil }
    digest.append(bytes)
    return (bytes, offset)
  }
}
