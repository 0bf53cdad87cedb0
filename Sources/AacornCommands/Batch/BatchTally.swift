import AacornRecording
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
  /// The number of outputs that other programs have removed, replaced or changed since they were
  /// made.
  var lostCount = 0
  /// The number of outputs that were checked again.
  var checkedCount = 0
  /// Whether outputs are being checked again, at the end of a run.
  var isRechecking = false
  /// The number of retries of all lines.
  var retryCount = 0
  /// The duration of the encoded audio, in seconds.
  var soundSeconds = 0.0
  var inputByteCount = 0
  var outputByteCount = 0

  /// The numbers of finished lines, with their names in JSON and metrics.
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
    inputByteCount = Self.sum(inputByteCount, entry.inputSize)
    outputByteCount = Self.sum(outputByteCount, entry.product.size)
    if let count = entry.product.sampleCount, let rate = entry.product.sampleRate, rate > 0 {
      soundSeconds += Double(count) / Double(rate)
    }
  }

  /// The sum, limited to the largest integer: ledgers may contain any number.
  private static func sum(_ one: Int, _ other: Int?) -> Int {
    let (sum, isTooLarge) = one.addingReportingOverflow(other ?? 0)
    return isTooLarge ? Int.max : sum
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
    if lostCount > 0 { facts.append("\(QuantityText.count(lostCount, "output")) lost") }
    return facts.joined(separator: ", ")
  }

  /// The JSON object at the end of a run.
  ///
  /// Lost outputs are also counted as done.
  func json(elapsed: Double) -> JSONValue {
    .object(members(lostCount: lostCount) + [.init("elapsed", .decimal(elapsed, 3))])
  }

  /// The counts as JSON members.
  func members(lostCount: Int) -> [JSONValue.Member] {
    lineCounts.map { .init($0.name, .integer($0.count)) } + [
      .init("lost", .integer(lostCount)), .init("retries", .integer(retryCount)),
      .init("seconds", .decimal(soundSeconds, 3)), .init("inputBytes", .integer(inputByteCount)),
      .init("outputBytes", .integer(outputByteCount)),
    ]
  }

  /// Returns whether a path is free, an empty file, or a file with metrics of a batch.
  static func mayReplace(_ path: String) -> Bool {
    if (try? System.status(of: path)) == nil { return true }
    let beginning = Array("# HELP aacorn_batch_".utf8)
    let start = InputFile.head(of: path, count: beginning.count, Interruption())
    return start.map { beginning.starts(with: $0) } ?? false
  }

  /// The counts as metrics.
  func metrics(shard: Shard, total: Int?, elapsed: Double) -> MetricsText {
    let part: MetricsText.Label = ("shard", "\(shard.index + 1)/\(shard.count)")
    var metrics = MetricsText()
    func add(
      _ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: Double,
      decimals: Int? = nil
    ) {
      metrics.add("aacorn_batch_" + name, kind, help, [([part], value)], decimals: decimals)
    }
    metrics.add(
      "aacorn_batch_lines_total", .counter, "Finished lines of the manifest.",
      lineCounts.map { ([part, ("status", $0.name)], Double($0.count)) })
    if let total { add("lines", .gauge, "Lines of this part.", Double(total)) }
    add("retries_total", .counter, "Attempts beyond the first.", Double(retryCount))
    add("sound_seconds_total", .counter, "Seconds of audio encoded.", soundSeconds, decimals: 3)
    add("input_bytes_total", .counter, "Bytes of encoded inputs.", Double(inputByteCount))
    add("output_bytes_total", .counter, "Bytes of outputs.", Double(outputByteCount))
    add(
      "lost_outputs_total", .counter, "Outputs that other programs removed, replaced or changed.",
      Double(lostCount))
    add(
      "checked_outputs_total", .counter, "Outputs that were checked again at the end.",
      Double(checkedCount))
    add("looking_back", .gauge, "Whether outputs are being checked again.", isRechecking ? 1 : 0)
    add("elapsed_seconds", .gauge, "Seconds since the start.", elapsed, decimals: 3)
    return metrics
  }
}

/// The counts of a run, shown on a terminal and in a metrics file.
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
    var lastWritten = -Double.infinity
    var hasFailed = false
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

  /// Changes the counts and shows them, at most 5 times a second on a terminal and once a second in
  /// the file.
  ///
  /// `atOnce` ignores these limits.
  func update(atOnce: Bool = false, _ change: (inout BatchTally) -> Void) {
    let now = System.seconds
    state.withLock { state in
      change(&state.tally)
      if atOnce || now - state.lastWritten >= 1 {
        state.lastWritten = now
        write(&state)
      }
      if console.isLive, !settings.isQuiet, atOnce || now - state.lastDrawn >= 0.2 {
        state.lastDrawn = now
        let line = Self.line(state.tally, total, elapsed: elapsed)
        state.line.draw { String(line.prefix(TerminalStatusLine.width(ofColumns: $0))) }
      }
    }
  }

  private static func line(_ tally: BatchTally, _ total: Int?, elapsed: Double) -> String {
    if tally.isRechecking {
      let lost = tally.lostCount > 0 ? "  \(tally.lostCount) lost" : ""
      return
        "\(tally.checkedCount) of \(QuantityText.count(tally.madeCount, "output")) checked again"
        + lost
    }
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

  /// Clears the line, and writes the final counts to the metrics file.
  func end() {
    clear()
    state.withLock { write(&$0) }
  }

  private func write(_ state: inout State) {
    guard let path = settings.metricsPath, !state.hasFailed else { return }
    do throws(CommandFailure) {
      // Replaced atomically, so that a collector never reads a partial file.
      let file = try OutputFile(path, replacing: true, interruption: Interruption())
      let metrics = state.tally.metrics(shard: settings.shard, total: total, elapsed: elapsed)
      try file.write(Array(metrics.text.utf8))
      try file.commit()
    } catch {
      state.hasFailed = true
      console.printError(error.commandMessage + " The run continues without metrics.")
    }
  }
}
