import AacornRecording
import AacornSystem

/// The lines of a shard in order, each with its entry in the ledger.
///
/// The lines are read one at a time. For each output in the ledger, the offset of its last entry is
/// kept in memory.
final class BatchSource: Sendable {
  private let state: Lock<State>
  private let ledger: Ledger?
  private let settings: BatchRun.Settings
  private let isChecked: Bool

  private struct State {
    let reader: LineReader
    /// The offset of the last ledger entry of each output, by the number of the output.
    var offsets = NumberTable<Int>()
  }

  /// Opens a manifest; `isChecked` states that `ManifestCheck` has accepted all its lines.
  init(
    _ path: String, isChecked: Bool, _ ledger: Ledger?, _ settings: BatchRun.Settings,
    _ interruption: Interruption
  ) throws(CommandFailure) {
    self.ledger = ledger
    self.settings = settings
    self.isChecked = isChecked
    var state = State(reader: try LineReader(path, interruption))
    if let ledger, ledger.isFile {
      let lines = try LineReader(ledger.path, interruption)
      while let line = try lines.next() {
        if let count = lines.estimatedLineCount() { state.offsets.reserve(count) }
        guard let entry = LedgerEntry(line.bytes) else { continue }
        state.offsets.set(ManifestLine.number(of: entry.output), to: line.offset)
      }
    }
    self.state = Lock(state)
  }

  enum Item {
    /// A line, and the ledger entry of its output.
    case line(ManifestLine, known: LedgerEntry?)
    /// A line that cannot be parsed.
    ///
    /// The other lines are encoded nevertheless.
    case fault(ManifestLine.Fault, number: Int)
  }

  /// Returns the next line, or nil at the end.
  func next() throws(CommandFailure) -> Item? {
    try state.withLock { (state) throws(CommandFailure) in
      while let next = try state.reader.next() {
        let line: ManifestLine
        do throws(ManifestLine.Fault) {
          line = try ManifestLine(next.bytes, number: next.number, settings.naming)
        } catch {
          if !isChecked { return .fault(error, number: next.number) }
          // The line has changed since the check.
          throw CommandFailure(.badInput, "Line \(next.number) of the manifest \(error.text).")
        }
        let number = line.outputNumber
        guard settings.shard.contains(number) else { continue }
        let entry = state.offsets[number].flatMap { ledger?.entry(at: $0) }
        // Different paths may have the same number.
        let isSame =
          entry.map { ManifestLine.normalized($0.output) } == ManifestLine.normalized(line.output)
        return .line(line, known: isSame ? entry : nil)
      }
      return nil
    }
  }

  /// Remembers the offset of a new ledger entry: unchecked lines may name the same output.
  func recordOffset(of entry: LedgerEntry, at offset: Int) {
    if !isChecked { state.withLock { $0.offsets.set(entry.outputNumber, to: offset) } }
  }

  /// Returns whether the ledger has no later entry about the same output.
  ///
  /// Always true for a checked manifest, in which every output occurs only once.
  func isLatest(_ entry: LedgerEntry, at offset: Int) -> Bool {
    isChecked || state.withLock { $0.offsets[entry.outputNumber] == offset }
  }
}
