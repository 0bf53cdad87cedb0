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

  /// The number of finished lines.
  var count: Int { doneCount + skippedCount + damagedCount + failedCount + postponedCount }

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
    outputByteCount = Self.sum(outputByteCount, entry.outputSize)
    if let count = entry.sampleCount, let rate = entry.sampleRate, rate > 0 {
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
    .object([
      .init("done", .integer(doneCount)), .init("damaged", .integer(damagedCount)),
      .init("skipped", .integer(skippedCount)), .init("failed", .integer(failedCount)),
      .init("postponed", .integer(postponedCount)), .init("lost", .integer(lostCount)),
      .init("retries", .integer(retryCount)),
      .init("seconds", .decimal(soundSeconds, 3)), .init("inputBytes", .integer(inputByteCount)),
      .init("outputBytes", .integer(outputByteCount)), .init("elapsed", .decimal(elapsed, 3)),
    ])
  }

  /// Returns whether a path is free, a device, an empty file, or a file with metrics of a batch.
  static func mayReplace(_ path: String) -> Bool {
    guard let status = try? System.status(of: path), status.kind == .file else { return true }
    let beginning = Array("# HELP aacorn_batch_".utf8)
    let file = try? InputFile(path, interruption: Interruption())
    let start = try? file?.bytes(at: 0, count: min(status.size, beginning.count))
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
    let counts = [
      ("done", doneCount), ("damaged", damagedCount), ("skipped", skippedCount),
      ("failed", failedCount), ("postponed", postponedCount),
    ]
    metrics.add(
      "aacorn_batch_lines_total", .counter, "Finished lines of the manifest.",
      counts.map { ([part, ("status", $0)], Double($1)) })
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
