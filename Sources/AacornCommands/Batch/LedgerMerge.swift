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
    var byteCount = 0
    for path in paths {
      let file = try InputFile(path, interruption: interruption)
      let start = try file.bytes(at: 0, count: Ledger.prefixByteCount)
      guard let size = file.size, Ledger.isLedger(start[...]) else {
        throw CommandFailure(
          .cannotRead, "“\(displayed(path))” is not a ledger of “aacorn batch”.",
          .text("Name ledgers, such as all.txt.ledger."))
      }
      byteCount += size
    }
    // The line that counts for each output. Lines are numbered over all ledgers.
    var latest = NumberTable<UInt32>()
    // The end time of each line as a number.
    var ends: [Int] = []
    // The number of lines up to the end of each ledger.
    var lineCounts: [Int] = []
    for path in paths {
      let reader = try LineReader(path, interruption)
      while let next = try reader.next() {
        if lineCounts.isEmpty, let count = reader.estimatedLineCount(inBytes: byteCount) {
          latest.reserve(count)
          ends.reserveCapacity(count)
        }
        let entry = LedgerEntry(next.bytes)
        ends.append(entry?.endedNumber ?? 0)
        guard let entry else {
          // A run that was killed, or is still running, may leave an incomplete last line.
          if next.isComplete { unreadableCount += 1 }
          continue
        }
        let number = entry.outputNumber
        if let other = latest[number], ends[Int(other)] > entry.endedNumber { continue }
        latest.set(number, to: UInt32(clamping: ends.count - 1))
      }
      lineCounts.append(ends.count)
    }
    var line = 0
    for (path, end) in zip(paths, lineCounts) {
      let reader = try LineReader(path, interruption)
      // A run may still be appending lines, so stop at the last line of the first pass.
      while line < end {
        guard let next = try reader.next() else { throw Self.change(of: path) }
        if let entry = LedgerEntry(next.bytes), latest[entry.outputNumber] == UInt32(clamping: line)
        {
          add(entry)
          try keep(Array(next.bytes) + [UInt8(ascii: "\n")])
        }
        line += 1
      }
    }
    if tally.count != latest.count { throw Self.change(of: paths.last ?? "") }
  }

  /// Returns the error for a ledger whose lines disappeared between the two passes.
  private static func change(of path: String) -> CommandFailure {
    CommandFailure(
      .cannotRead, "“\(displayed(path))” was changed by another program while it was read.",
      .text("Merge again."))
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

  var text: String {
    var lines = [tally.summary(elapsed: 0)]
    lines += errors.sorted { $0.key < $1.key }.map { "  \($0.value) \(displayed($0.key))" }
    lines += failures.map { "Line \($0.line): \(displayed($0.error?.message ?? ""))" }
    let more = errors.values.reduce(0, +) - failures.count
    if more > 0 { lines.append("\(more) more; -o FILE keeps the last line about each output.") }
    return lines.joined(separator: "\n")
  }

  var json: JSONValue {
    let errorCounts = errors.sorted { $0.key < $1.key }.map {
      JSONValue.Member($0.key, .integer($0.value))
    }
    let failures = failures.map { entry -> JSONValue in
      [
        "line": .integer(entry.line), "input": .text(entry.input),
        "output": .text(entry.output), "status": .text(entry.outcome.rawValue),
        "error": .text(entry.error?.keyword ?? ""),
        "message": .text(entry.error?.message ?? ""),
      ]
    }
    // A merge skips no lines.
    let counts = tally.members(lostCount: errors[LedgerEntry.lostKeyword] ?? 0).filter {
      $0.name != "skipped"
    }
    let lines = JSONValue.Member("lines", .integer(tally.count))
    return .object(
      [lines] + counts + [
        .init("workSeconds", .decimal(workSeconds, 3)),
        .init("errors", .object(errorCounts)), .init("failures", .list(failures)),
        .init("unreadable", .integer(unreadableCount)),
        .init("missing", .list(parts.missing.prefix(Self.keptFailures).map { .text($0) })),
      ])
  }
}

/// The parts that are missing in a list of ledgers, according to the names of the ledgers.
struct LedgerParts {
  /// The names of the missing ledgers, in order.
  private(set) var missing: [String] = []
  /// A message about the missing ledgers of each split manifest.
  private(set) var messages: [String] = []

  init(_ paths: [String]) {
    // The indexes of the parts, by the common start of the ledgers' names and the number of parts.
    var splits: [String: [Int: Set<Int>]] = [:]
    for path in paths {
      if let (stem, shard) = Self.part(path) {
        splits[stem, default: [:]][shard.count, default: []].insert(shard.index)
      }
    }
    for (stem, indexes) in splits.sorted(by: { $0.key < $1.key }) {
      // If a ledger without parts exists, or the ledgers of all parts of one split, the manifest is
      // complete, whatever other ledgers exist.
      if paths.contains(stem) || indexes.contains(where: { $0.value.count == $0.key }) { continue }
      for (count, found) in indexes.sorted(by: { $0.key < $1.key }) {
        let names = (0..<count).filter { !found.contains($0) }.map {
          stem + "." + Shard(index: $0, count: count).name
        }
        missing += names
        messages.append(
          "Of \(QuantityText.count(count, "part")), \(QuantityText.count(names.count, "ledger")) "
            + "\(names.count == 1 ? "is" : "are") missing: "
            + listed(names.lazy.map { "“\(displayed($0))”" }, limit: 5) + ".")
      }
    }
  }

  /// Splits a name into the name of the split manifest's ledger and the part.
  private static func part(_ path: String) -> (stem: String, Shard)? {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let name = String(path[path.utf8.index(after: dot)...])
    let numbers = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers[1].elementsEqual("of".utf8),
      let shard = Shard("\(Substring(numbers[0]))/\(Substring(numbers[2]))"), shard.name == name
    else { return nil }
    return (String(path[..<dot]), shard)
  }
}
