import AacornContainers
import AacornSystem

/// The counts of a run.
struct BatchTally: Equatable, Sendable {
  var doneCount = 0
  var skippedCount = 0
  /// The number of skipped lines whose inputs an earlier run found to be damaged.
  var damagedBeforeCount = 0
  var damagedCount = 0
  var failedCount = 0
  var postponedCount = 0
  /// The number of retries of all lines.
  var retryCount = 0
  /// The duration of the encoded audio, in seconds.
  var soundSeconds = 0.0
  var inputByteCount = 0
  var outputByteCount = 0

  /// The numbers of finished lines, with their names in JSON.
  private var lineCounts: [(name: String, count: Int)] {
    [
      ("done", doneCount), ("damaged", damagedCount), ("skipped", skippedCount),
      ("failed", failedCount), ("postponed", postponedCount),
    ]
  }

  /// The number of finished lines.
  var count: Int { lineCounts.reduce(0) { $0 + $1.count } }

  /// The number of lines whose outputs were made.
  var madeCount: Int { doneCount + damagedCount }

  /// Whether any line has no output or a damaged input.
  var hasFailures: Bool {
    failedCount + postponedCount + damagedCount + damagedBeforeCount > 0
  }

  /// Adds a line that was not tried.
  mutating func addKnown(_ outcome: LedgerEntry.Outcome) {
    if outcome == .failed { failedCount += 1 } else { skippedCount += 1 }
    if outcome == .damaged { damagedBeforeCount += 1 }
  }

  /// Adds the result of a line.
  mutating func add(_ entry: LedgerEntry) {
    retryCount += entry.attemptCount - 1
    switch entry.outcome {
    case .done: doneCount += 1
    case .damaged: damagedCount += 1
    case .failed: failedCount += 1
    case .postponed: postponedCount += 1
    }
    guard entry.isMade else { return }
    inputByteCount += entry.inputSize ?? 0
    outputByteCount += entry.product.size ?? 0
    if let count = entry.product.sampleCount, let rate = entry.product.sampleRate, rate > 0 {
      soundSeconds += Double(count) / Double(rate)
    }
  }

  /// A one-line, human-readable summary.
  func summary(elapsed: Double) -> String {
    let count = madeCount == 0 ? "No files" : QuantityText.count(madeCount, "file")
    var facts = ["\(count) encoded"]
    if madeCount > 0 {
      facts.append(QuantityText.duration(soundSeconds))
      facts.append(QuantityText.size(outputByteCount))
      if elapsed > 0 { facts.append(QuantityText.speed(soundSeconds / elapsed)) }
    }
    if skippedCount > 0 { facts.append("\(skippedCount) already done") }
    let allDamaged = damagedCount + damagedBeforeCount
    if allDamaged > 0 { facts.append(QuantityText.count(allDamaged, "damaged input")) }
    if failedCount > 0 { facts.append("\(failedCount) failed") }
    if postponedCount > 0 { facts.append("\(postponedCount) postponed") }
    return facts.joined(separator: ", ")
  }

  /// The JSON object at the end of a run.
  func json(elapsed: Double) -> JSONValue {
    .object(
      lineCounts.map { .init($0.name, .integer($0.count)) } + [
        .init("retries", .integer(retryCount)), .init("seconds", .decimal(soundSeconds, 3)),
        .init("inputBytes", .integer(inputByteCount)),
        .init("outputBytes", .integer(outputByteCount)), .init("elapsed", .decimal(elapsed, 3)),
      ])
  }
}

/// The counts of a run, shown on a terminal.
final class BatchProgress: Sendable {
  private let settings: BatchCommand
  private let total: Int?
  private let console: Console
  private let start = System.seconds
  private let state: Lock<State>

  private struct State {
    var tally = BatchTally()
    var line: TerminalStatusLine
    var lastDrawn = 0.0
  }

  init(_ settings: BatchCommand, total: Int?, in console: Console) {
    self.settings = settings
    self.total = total
    self.console = console
    state = Lock(State(line: TerminalStatusLine(in: console)))
  }

  var tally: BatchTally { state.withLock(\.tally) }

  /// The seconds since the start of the run.
  var elapsed: Double { System.seconds - start }

  /// Changes the counts and shows them, at most 5 times a second.
  func update(_ change: (inout BatchTally) -> Void) {
    let now = System.seconds
    state.withLock { state in
      change(&state.tally)
      guard console.isLive, !settings.isQuiet, now - state.lastDrawn >= 0.2 else { return }
      state.lastDrawn = now
      let line = Self.line(state.tally, total, elapsed: elapsed)
      state.line.draw { String(line.prefix(TerminalStatusLine.width(ofColumns: $0))) }
    }
  }

  private static func line(_ tally: BatchTally, _ total: Int?, elapsed: Double) -> String {
    var facts = [
      total.map { "\(tally.count) of \($0) lines" } ?? QuantityText.count(tally.count, "line")
    ]
    if elapsed > 0, tally.soundSeconds > 0 {
      facts.append(QuantityText.speed(tally.soundSeconds / elapsed))
    }
    let bad = tally.failedCount + tally.postponedCount
    if bad > 0 { facts.append("\(bad) failed") }
    if let total, tally.count > 0, elapsed > 1 {
      let left = elapsed / Double(tally.count) * Double(max(0, total - tally.count))
      facts.append(QuantityText.clock(Int(left.rounded())) + " left")
    }
    return facts.joined(separator: "  ")
  }

  /// Clears the line so that other text can be printed.
  func clear() { state.withLock { $0.line.clear() } }
}
