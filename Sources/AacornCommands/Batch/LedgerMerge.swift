import AacornRecording
import AacornSystem

/// What many ledgers say together: the latest line about each output counts, and of lines of the same
/// moment the one that is read last.
struct LedgerMerge {
  private(set) var tally = BatchTally()
  /// How often each kind of error occurred.
  private(set) var errors: [String: Int] = [:]
  /// Seconds of work of all threads.
  private(set) var workSeconds = 0.0
  /// Lines that have no output, the first of them.
  private(set) var failures: [LedgerEntry] = []
  /// Which of the ledgers are there.
  let parts: LedgerParts
  private let paths: [String]

  /// Lines without an output that are kept for the report.
  static let keptFailures = 100
  /// Outputs that are looked at in one pass; each takes up to 128 bytes.
  private static let window = 1 << 19
  /// No line of a ledger is shorter.
  private static let shortestLine = 150

  /// Reads the ledgers; `keep` gets the lines that count.
  init(
    _ paths: [String], _ interruption: Interruption,
    keep: ([UInt8]) throws(CommandFailure) -> Void = { _ in }
  ) throws(CommandFailure) {
    self.paths = paths
    parts = LedgerParts(paths)
    var size = 0
    for path in paths { size += try Self.size(of: path, interruption) }
    let passCount = UInt64(size / Self.shortestLine / Self.window + 1)
    for pass in 0..<passCount {
      var last = NumberTable()
      var times = NumberTable()
      func isLookedAt(_ number: UInt64) -> Bool { (number >> 40) % passCount == pass }
      try forEachLine(interruption) { (_, entry, place) in
        let number = ManifestLine.number(of: entry.output)
        if !isLookedAt(number) || entry.endedNumber < times.value(of: number) ?? 0 { return }
        times.insert(number)
        times.setValue(of: number, to: entry.endedNumber)
        last.insert(number)
        last.setValue(of: number, to: place)
      }
      try forEachLine(interruption) { (bytes, entry, place) throws(CommandFailure) in
        let number = ManifestLine.number(of: entry.output)
        guard isLookedAt(number), last.value(of: number) == place else { return }
        add(entry)
        try keep(Array(bytes) + [UInt8(ascii: "\n")])
      }
    }
  }

  /// The size of a ledger; throws if it is something else.
  private static func size(
    of path: String, _ interruption: Interruption
  ) throws(CommandFailure) -> Int {
    do throws(SystemError) {
      let status = try System.status(of: path)
      if status.kind == .folder { throw .isFolder }
      if status.kind == .file {
        let file = try System.open(path, for: .reading)
        defer { try? System.close(file) }
        var start = [UInt8](repeating: 0, count: LedgerLines.beginning.count)
        let count = try System.read(file, into: &start)
        if LedgerLines.isLedger(start.prefix(count)) { return status.size }
      }
    } catch {
      throw CommandFailure(.open, path, error)
    }
    throw CommandFailure(
      .cannotRead, "“\(displayed(path))” is no ledger of “aacorn batch”.",
      .words("Name ledgers, such as all.txt.ledger."))
  }

  private func forEachLine(
    _ interruption: Interruption,
    _ body: (ArraySlice<UInt8>, LedgerEntry, Int) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    for (index, path) in paths.enumerated() {
      let lines = try LedgerLines(path, interruption)
      while let (bytes, offset) = try lines.next() {
        // A line that a crash has cut off says nothing.
        guard let entry = LedgerEntry(bytes) else { continue }
        try body(bytes, entry, index << 44 | offset)
      }
    }
  }

  private mutating func add(_ entry: LedgerEntry) {
    tally.add(entry)
    workSeconds += entry.elapsed
    guard let error = entry.error else { return }
    errors[error.word, default: 0] += 1
    if failures.count < Self.keptFailures { failures.append(entry) }
  }

  /// The report for programs; keys keep their names and order.
  var json: JSONValue {
    .object([
      .init("lines", .integer(tally.count)), .init("done", .integer(tally.doneCount)),
      .init("damaged", .integer(tally.damagedCount)), .init("failed", .integer(tally.failedCount)),
      .init("postponed", .integer(tally.postponedCount)),
      .init("retries", .integer(tally.retryCount)),
      .init("seconds", .decimal(tally.soundSeconds, 3)),
      .init("inputBytes", .integer(tally.inputByteCount)),
      .init("outputBytes", .integer(tally.outputByteCount)),
      .init("workSeconds", .decimal(workSeconds, 3)),
      .init(
        "errors",
        .object(
          errors.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer($0.value)) })),
      .init(
        "failures",
        .list(
          failures.map { entry in
            .object([
              .init("line", .integer(entry.line)), .init("input", .text(entry.input)),
              .init("output", .text(entry.output)), .init("status", .text(entry.outcome.rawValue)),
              .init("error", .text(entry.error?.word ?? "")),
              .init("message", .text(entry.error?.sentence ?? "")),
            ])
          })),
      .init("missing", .list(parts.missing.prefix(Self.keptFailures).map { .text($0) })),
    ])
  }
}
