import AacornRecording
import AacornSystem

/// The lines of a shard in order, each with its entry in the ledger.
///
/// A file is read twice: first to find the ledger entries of its outputs, if the ledger has
/// entries, and then to return the lines. Neither the file nor the ledger has to fit into memory.
/// Standard input cannot be read twice, so its ledger is indexed completely at the start.
final class BatchSource: Sendable {
  private let state: Lock<State>
  private let path: String
  private let ledger: Ledger?
  private let settings: BatchRun.Settings
  private let recordLimit: Int
  private let interruption: Interruption
  private var isFile: Bool { path != "-" }

  private struct State {
    let reader: ManifestReader
    /// The number of lines of the part that were returned.
    var lineCount = 0
    /// The ledger offsets of the lines of a file; nil before the lookup, or if the ledger is empty.
    var known: LedgerOffsets?
    var hasSearched = false
    /// The ledger offsets of all outputs, for lines from standard input.
    var index = LedgerIndex()
  }

  init(
    _ path: String, _ ledger: Ledger?, _ settings: BatchRun.Settings, _ interruption: Interruption,
    standardInput: Int32 = System.standardInput, recordLimit: Int = RecordLimit.defaultValue
  ) throws(CommandFailure) {
    self.path = path
    self.ledger = ledger
    self.settings = settings
    self.recordLimit = recordLimit
    self.interruption = interruption
    var index = LedgerIndex()
    if let ledger, path == "-" { try index.fill(from: ledger.path, interruption) }
    state = Lock(
      State(
        reader: try ManifestReader(path, interruption, standardInput: standardInput),
        index: index))
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
      if isFile, !state.hasSearched { try lookAhead(&state) }
      while let (bytes, number) = try state.reader.next() {
        let line: ManifestLine
        do throws(ManifestLine.Fault) {
          line = try ManifestLine(bytes, number: number, settings.naming)
        } catch {
          if !isFile { return .fault(error, number: number) }
          // `ManifestCheck` has already checked the whole file.
          throw CommandFailure(.badInput, "Line \(number) of the manifest \(error.text).")
        }
        let outputNumber = line.outputNumber
        guard settings.shard.contains(outputNumber) else { continue }
        let offset =
          isFile
          ? try state.known?.offset(of: state.lineCount) : state.index.offset(of: outputNumber)
        state.lineCount += 1
        return .line(line, known: known(of: line, offset))
      }
      return nil
    }
  }

  /// Adds a new ledger entry to the index: on standard input several lines may name the same
  /// output.
  func keep(_ entry: LedgerEntry, at offset: Int) {
    state.withLock { state in
      if !isFile { state.index.add(ManifestLine.number(of: entry.output), at: offset) }
    }
  }

  /// Returns whether the ledger has no later entry about the same output.
  ///
  /// Always true for a manifest file, in which every output occurs only once.
  func isLatest(_ entry: LedgerEntry, at offset: Int) -> Bool {
    isFile
      || state.withLock { $0.index.offset(of: ManifestLine.number(of: entry.output)) == offset }
  }

  private func known(of line: ManifestLine, _ offset: Int?) -> LedgerEntry? {
    guard let offset, let entry = ledger?.entry(at: offset),
      ManifestLine.plain(entry.output) == ManifestLine.plain(line.output)
    else { return nil }
    return entry
  }

  private func lookAhead(_ state: inout State) throws(CommandFailure) {
    state.hasSearched = true
    guard let ledger, (try? System.status(of: ledger.path))?.size ?? 0 > 0 else { return }
    state.known = try LedgerOffsets(
      ManifestReader(path, interruption), ledger.path, settings, recordLimit: recordLimit,
      interruption)
  }
}
