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
  private let isFile: Bool

  private struct State {
    let reader: ManifestReader
    /// The offset of the last ledger entry of each output, by the number of the output.
    var offsets = NumberTable<Int>()
  }

  init(
    _ path: String, _ ledger: Ledger?, _ settings: BatchRun.Settings, _ interruption: Interruption,
    standardInput: Int32 = System.standardInput
  ) throws(CommandFailure) {
    self.ledger = ledger
    self.settings = settings
    isFile = path != "-"
    var state = State(
      reader: try ManifestReader(path, interruption, standardInput: standardInput))
    if let ledger, let size = (try? System.status(of: ledger.path))?.size, size > 0 {
      let lines = try LedgerLines(ledger.path, interruption)
      var lineCount = 0
      while let (bytes, offset) = try lines.next() {
        lineCount += 1
        if lineCount == LineEstimate.sampleSize {
          state.offsets.reserve(LineEstimate.lineCount(in: size, sampleByteCount: offset))
        }
        guard let entry = LedgerEntry(bytes) else { continue }
        state.offsets.set(ManifestLine.number(of: entry.output), to: offset)
      }
    }
    self.state = Lock(state)
  }

  /// An item of a source.
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
      while let (bytes, number) = try state.reader.next() {
        let line: ManifestLine
        do throws(ManifestLine.Fault) {
          line = try ManifestLine(bytes, number: number, settings.naming)
        } catch {
          if !isFile { return .fault(error, number: number) }
          // `ManifestCheck` has accepted the whole file, so the line has changed since then.
          throw CommandFailure(.badInput, "Line \(number) of the manifest \(error.text).")
        }
        let outputNumber = line.outputNumber
        guard settings.shard.contains(outputNumber) else { continue }
        return .line(line, known: knownEntry(of: line, state.offsets.value(of: outputNumber)))
      }
      return nil
    }
  }

  /// Remembers the offset of a new ledger entry: on standard input several lines may name the same
  /// output.
  func recordOffset(of entry: LedgerEntry, at offset: Int) {
    if isFile { return }
    state.withLock { $0.offsets.set(ManifestLine.number(of: entry.output), to: offset) }
  }

  /// Returns whether the ledger has no later entry about the same output.
  ///
  /// Always true for a manifest file, in which every output occurs only once.
  func isLatest(_ entry: LedgerEntry, at offset: Int) -> Bool {
    isFile
      || state.withLock { $0.offsets.value(of: ManifestLine.number(of: entry.output)) == offset }
  }

  private func knownEntry(of line: ManifestLine, _ offset: Int?) -> LedgerEntry? {
    guard let offset, let entry = ledger?.entry(at: offset),
      ManifestLine.normalized(entry.output) == ManifestLine.normalized(line.output)
    else { return nil }
    return entry
  }
}
