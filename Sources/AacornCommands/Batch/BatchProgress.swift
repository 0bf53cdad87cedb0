import AacornRecording
import AacornSystem

/// A display of the progress of a run, on a terminal and in a metrics file.
final class BatchProgress: Sendable {
  private let settings: BatchSettings
  private let total: Int?
  private let console: Console
  private let isShown: Bool
  private let state: Lock<State>

  private struct State {
    var line: TerminalStatusLine
    var lastDrawn = 0.0
    var lastWritten = -Double.infinity
    var hasFailed = false
  }

  init(_ settings: BatchSettings, total: Int?, in console: Console) {
    self.settings = settings
    self.total = total
    self.console = console
    isShown = console.isLive && !settings.isQuiet
    state = Lock(State(line: TerminalStatusLine(in: console)))
  }

  /// Shows the counts, at most 5 times a second on a terminal and once a second in the file.
  ///
  /// `atOnce` ignores these limits.
  func show(_ tally: BatchTally, elapsed: Double, atOnce: Bool = false) {
    let now = System.seconds
    state.withLock { state in
      if atOnce || now - state.lastWritten >= 1 {
        state.lastWritten = now
        write(tally, elapsed: elapsed, &state)
      }
      if isShown, atOnce || now - state.lastDrawn >= 0.2 {
        state.lastDrawn = now
        let line = Self.line(tally, total, elapsed: elapsed)
        state.line.draw { columns in String(line.prefix(max(1, columns - 1))) }
      }
    }
  }

  static func line(_ tally: BatchTally, _ total: Int?, elapsed: Double) -> String {
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
  func end(_ tally: BatchTally, elapsed: Double) {
    clear()
    state.withLock { write(tally, elapsed: elapsed, &$0) }
  }

  private func write(_ tally: BatchTally, elapsed: Double, _ state: inout State) {
    guard let path = settings.metricsPath, !state.hasFailed else { return }
    do throws(CommandFailure) {
      // Replaced atomically, so that a collector never reads a partial file.
      let file = try OutputFile(path, replacing: true, interruption: Interruption())
      let metrics = tally.metrics(shard: settings.shard, total: total, elapsed: elapsed)
      try file.write(Array(metrics.text.utf8))
      try file.commit()
    } catch {
      state.hasFailed = true
      console.printError(error.commandMessage + " The run continues without metrics.")
    }
  }
}
