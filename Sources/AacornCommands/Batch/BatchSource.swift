import AacornRecording
import AacornSystem

/// Gives the lines of a shard one after the other, with what the ledger says of each.
///
/// A file is read twice: first to know which outputs are asked for, if the ledger has any, and then to
/// give the lines. Neither it nor the ledger has to fit into memory. Standard input cannot be read
/// twice; of its ledger all is known from the start.
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
    /// Lines of the part that were given.
    var lineCount = 0
    /// What is known of the lines of a file; nil if nothing, or if nobody has looked.
    var known: KnownPlaces?
    var hasLooked = false
    /// What is known of lines that come by standard input.
    var index = LedgerIndex()
  }

  init(
    _ path: String, _ ledger: Ledger?, _ settings: BatchRun.Settings, _ interruption: Interruption,
    standardInput: Int32 = System.standardInput, recordLimit: Int = RecordLimit.usual
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
      if isFile, !state.hasLooked { try lookAhead(&state) }
      while let (bytes, number) = try state.reader.next() {
        let line: ManifestLine
        do throws(ManifestLine.Fault) {
          line = try ManifestLine(bytes, number: number, settings.naming)
        } catch {
          if !isFile { return .fault(error, number: number) }
          // All of it was looked through before.
          throw CommandFailure(.badInput, "Line \(number) of the manifest \(error.words).")
        }
        let outputNumber = line.outputNumber
        guard settings.shard.contains(outputNumber) else { continue }
        let place =
          isFile
          ? try state.known?.place(of: state.lineCount) : state.index.place(of: outputNumber)
        state.lineCount += 1
        return .line(line, known: known(of: line, place))
      }
      return nil
    }
  }

  /// Notes a new line of the ledger, since on standard input an output may come again.
  func keep(_ entry: LedgerEntry, at place: Int) {
    state.withLock { state in
      if !isFile { state.index.add(ManifestLine.number(of: entry.output), at: place) }
    }
  }

  /// Whether no later line of the ledger is about the same output.
  ///
  /// In a file every output is named once.
  func isLatest(_ entry: LedgerEntry, at place: Int) -> Bool {
    isFile || state.withLock { $0.index.place(of: ManifestLine.number(of: entry.output)) == place }
  }

  private func known(of line: ManifestLine, _ place: Int?) -> LedgerEntry? {
    guard let place, let entry = ledger?.entry(at: place),
      ManifestLine.plain(entry.output) == ManifestLine.plain(line.output)
    else { return nil }
    return entry
  }

  private func lookAhead(_ state: inout State) throws(CommandFailure) {
    state.hasLooked = true
    guard let ledger, (try? System.status(of: ledger.path))?.size ?? 0 > 0 else { return }
    state.known = try KnownPlaces(
      ManifestReader(path, interruption), ledger.path, settings, recordLimit: recordLimit,
      interruption)
  }
}
