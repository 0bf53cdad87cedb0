/// The slot of a thread in a journal, where it notes the line that it has in work.
final class JournalSlot {
  private let journal: BatchJournal
  private let slot: Int
  private var isTaken = false

  init(_ journal: BatchJournal, slot: Int) {
    self.journal = journal
    self.slot = slot
  }

  /// Notes that what comes may end the program, unless it has been noted.
  func begin(_ number: @autoclosure () -> UInt64) {
    if !isTaken { journal.begin(number(), in: slot) }
    isTaken = true
  }

  /// Notes that nothing is in work, if something was.
  func end() {
    if isTaken { journal.end(in: slot) }
    isTaken = false
  }
}
