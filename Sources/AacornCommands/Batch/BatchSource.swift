import AacornRecording
import AacornSystem

/// Gives the lines of a shard one after the other, with what the ledger says of each.
///
/// A file is read window by window, each of them twice: first to know which outputs are asked for, and
/// then to give the lines. So neither the manifest nor the ledger has to fit into memory. Standard input
/// cannot be read twice; of its ledger all is known from the start.
final class BatchSource: Sendable {
  private let state: Lock<State>
  private let path: String
  private let ledger: Ledger?
  private let settings: BatchRun.Settings
  private let interruption: Interruption

  private struct State {
    let reader: ManifestReader
    /// Reads ahead; nil where nothing is read twice.
    let scout: ManifestReader?
    var index = LedgerIndex()
    /// Lines of the shard that are left in the window.
    var rest = 0
  }

  init(
    _ path: String, _ ledger: Ledger?, _ settings: BatchRun.Settings, _ interruption: Interruption,
    standardInput: Int32 = System.standardInput
  ) throws(CommandFailure) {
    self.path = path
    self.ledger = ledger
    self.settings = settings
    self.interruption = interruption
    var index = LedgerIndex()
    let isFile = path != "-"
    if let ledger, !isFile { try index.fillWithAll(of: ledger.path, interruption) }
    state = Lock(
      State(
        reader: try ManifestReader(path, interruption, standardInput: standardInput),
        scout: isFile ? try ManifestReader(path, interruption) : nil, index: index))
  }

  /// What is next.
  enum Item {
    /// A line, and what the ledger says of its output.
    case line(ManifestLine, known: LedgerEntry?)
    /// One that cannot be read, where the others are made all the same.
    case fault(ManifestLine.Fault, number: Int)
  }

  /// The next line; nil at the end.
  func next() throws(CommandFailure) -> Item? {
    try state.withLock { (state) throws(CommandFailure) in
      if state.rest == 0, state.scout != nil { try lookAhead(&state) }
      while let (bytes, number) = try state.reader.next() {
        let line: ManifestLine
        do throws(ManifestLine.Fault) {
          line = try ManifestLine(bytes, number: number, settings.naming)
        } catch {
          if state.scout == nil { return .fault(error, number: number) }
          // All of it was looked through before.
          throw CommandFailure(.badInput, "Line \(number) of the manifest \(error.words).")
        }
        let outputNumber = line.outputNumber
        guard settings.shard.contains(outputNumber) else { continue }
        state.rest -= 1
        return .line(line, known: known(of: line, outputNumber, state.index))
      }
      return nil
    }
  }

  /// Notes a new line of the ledger, since on standard input an output may come again.
  func keep(_ entry: LedgerEntry, at place: Int) {
    state.withLock { state in
      if state.scout == nil { state.index.add(ManifestLine.number(of: entry.output), at: place) }
    }
  }

  private func known(
    of line: ManifestLine, _ number: UInt64, _ index: LedgerIndex
  ) -> LedgerEntry? {
    guard let place = index.place(of: number), let entry = ledger?.entry(at: place),
      ManifestLine.plain(entry.output) == ManifestLine.plain(line.output)
    else { return nil }
    return entry
  }

  private func lookAhead(_ state: inout State) throws(CommandFailure) {
    state.index = LedgerIndex()
    while state.index.count < LedgerIndex.window, let (bytes, number) = try state.scout?.next() {
      guard let line = try? ManifestLine(bytes, number: number, settings.naming) else { continue }
      let outputNumber = line.outputNumber
      guard settings.shard.contains(outputNumber) else { continue }
      state.index.expect(outputNumber)
      state.rest += 1
    }
    if let ledger, state.index.count > 0 { try state.index.fill(from: ledger.path, interruption) }
  }
}
