import AacornRecording
import AacornSystem

/// The merged result of several ledgers.
///
/// The latest line about each output counts. Of lines with equal times, the last line read counts.
struct LedgerMerge {
  private(set) var tally = BatchTally()
  /// The number of errors of each kind.
  private(set) var errors: [String: Int] = [:]
  /// The total working time of all threads, in seconds.
  private(set) var workSeconds = 0.0
  /// The first `keptFailures` lines without an output.
  private(set) var failures: [LedgerEntry] = []
  /// The number of unreadable lines, truncated by a crash or damaged.
  private(set) var unreadableCount = 0
  /// The parts that are present or missing.
  let parts: LedgerParts

  /// The maximum number of failed lines in the report.
  static let keptFailures = 100

  /// Reads the ledgers twice: first to find the lines that count, then to read these lines.
  ///
  /// `keep` receives each line that counts.
  init(
    _ paths: [String], _ interruption: Interruption,
    keep: ([UInt8]) throws(CommandFailure) -> Void = { _ in }
  ) throws(CommandFailure) {
    parts = LedgerParts(paths)
    for path in paths { try Self.requireLedger(path) }
    // The line that counts for each output, by the number of the output.
    var latest = NumberTable<UInt32>()
    // The end time of each line of all ledgers as a number, and whether the line counts.
    var ends: [Int] = []
    var counts: [Bool] = []
    // For each ledger, the index of its first line, counted over all ledgers.
    var starts = [0]
    for path in paths {
      let lines = try LedgerLines(path, interruption)
      while let (bytes, offset) = try lines.next() {
        let line = ends.count
        if line == LineEstimate.sampleSize, starts.count == 1 {
          let size = paths.reduce(0) { $0 + ((try? System.status(of: $1))?.size ?? 0) }
          let lineCount = LineEstimate.lineCount(in: size, sampleByteCount: offset)
          latest.reserve(lineCount)
          ends.reserveCapacity(lineCount)
          counts.reserveCapacity(lineCount)
        }
        let entry = LedgerEntry(bytes)
        ends.append(entry?.endedNumber ?? 0)
        counts.append(entry != nil)
        guard let entry else {
          // A truncated line is not used.
          unreadableCount += 1
          continue
        }
        let number = ManifestLine.number(of: entry.output)
        if let other = latest.value(of: number).map(Int.init) {
          if ends[other] > ends[line] {
            counts[line] = false
            continue
          }
          counts[other] = false
        }
        latest.set(number, to: UInt32(clamping: line))
      }
      starts.append(ends.count)
    }
    for (index, path) in paths.enumerated() {
      let lines = try LedgerLines(path, interruption)
      // A run may still be appending lines, so stop at the last line of the first pass.
      for line in starts[index]..<starts[index + 1] {
        guard let (bytes, _) = try lines.next() else { throw Self.change(of: path) }
        if !counts[line] { continue }
        guard let entry = LedgerEntry(bytes) else { throw Self.change(of: path) }
        add(entry)
        try keep(Array(bytes) + [UInt8(ascii: "\n")])
      }
    }
  }

  /// Returns the error for a ledger whose lines disappeared between the two passes.
  private static func change(of path: String) -> CommandFailure {
    CommandFailure(
      .cannotRead, "“\(displayed(path))” was changed by another program while it was read.",
      .text("Merge again."))
  }

  /// Throws if a file is not a ledger.
  private static func requireLedger(_ path: String) throws(CommandFailure) {
    do throws(SystemError) {
      let status = try System.status(of: path)
      if status.kind == .folder { throw .isFolder }
      if status.kind == .file {
        let file = try System.open(path, for: .reading)
        defer { try? System.close(file) }
        if try LedgerLines.isLedger(file) { return }
      }
    } catch {
      throw CommandFailure(.open, path, error)
    }
    throw CommandFailure(
      .cannotRead, "“\(displayed(path))” is not a ledger of “aacorn batch”.",
      .text("Name ledgers, such as all.txt.ledger."))
  }

  private mutating func add(_ entry: LedgerEntry) {
    tally.add(entry)
    workSeconds += entry.elapsed
    guard let error = entry.error else { return }
    errors[error.keyword, default: 0] += 1
    if failures.count < Self.keptFailures { failures.append(entry) }
  }

  /// Whether any line has no output, the ledger of a part is missing, or no line can be read.
  var hasFailures: Bool {
    tally.hasFailures || !parts.missing.isEmpty || (tally.count == 0 && unreadableCount > 0)
  }

  /// The report as JSON, with stable names and order of the keys.
  var json: JSONValue {
    .object([
      .init("lines", .integer(tally.count)), .init("done", .integer(tally.doneCount)),
      .init("damaged", .integer(tally.damagedCount)), .init("failed", .integer(tally.failedCount)),
      .init("postponed", .integer(tally.postponedCount)),
      .init("lost", .integer(errors[LedgerEntry.lostKeyword] ?? 0)),
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
              .init("error", .text(entry.error?.keyword ?? "")),
              .init("message", .text(entry.error?.message ?? "")),
            ])
          })),
      .init("unreadable", .integer(unreadableCount)),
      .init("missing", .list(parts.missing.prefix(Self.keptFailures).map { .text($0) })),
    ])
  }
}
