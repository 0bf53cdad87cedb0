import AacornRecording
import AacornSystem

extension Ledger {
  /// Calls `body` with all that this run has told, and where that begins, in several threads at once.
  ///
  /// What is told meanwhile is not among it. The first failure ends it.
  func forEachOwnEntry(
    jobCount: Int, _ interruption: Interruption,
    _ body: @escaping @Sendable (LedgerEntry, Int) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    guard let own = ownLines, !own.isEmpty else { return }
    let lines = Lock(try LedgerLines(path, interruption, from: own.lowerBound))
    let failure = Lock<CommandFailure?>(nil)
    BatchWorkers.run(jobCount) { _ in
      do throws(CommandFailure) {
        while failure.withLock({ $0 == nil }) {
          let next = try lines.withLock { (lines) throws(CommandFailure) in try lines.next() }
          guard let (bytes, place) = next, place < own.upperBound else { return }
          if let entry = LedgerEntry(bytes) { try body(entry, place) }
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
