/// The slot of a thread in a journal, in which it records the line in progress.
final class JournalSlot {
  private let journal: BatchJournal
  private let slot: Int
  private var isTaken = false

  init(_ journal: BatchJournal, slot: Int) {
    self.journal = journal
    self.slot = slot
  }

  /// Records, at most once, that the line is in progress, before a step that may crash the program.
  func begin(_ number: @autoclosure () -> UInt64) {
    if !isTaken { journal.begin(number(), in: slot) }
    isTaken = true
  }

  /// Clears the record, if there is one.
  func end() {
    if isTaken { journal.end(in: slot) }
    isTaken = false
  }
}
