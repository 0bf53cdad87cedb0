import AacornSystem

/// A line at the bottom of a terminal with the progress of the work.
final class ProgressLine: Sendable {
  private struct State {
    var label: String
    var line: TerminalStatusLine
    /// The seconds of audio done and, if known, in total, of the jobs in progress.
    var active: [Int: (done: Double, total: Double?)] = [:]
    var finishedCount = 0
    var finishedSeconds = 0.0
    var lastDrawn = 0.0
  }

  private let state: Lock<State>
  private let jobCount: Int
  private let isShown: Bool
  private let start: Double

  /// The time between redraws in seconds.
  private static let interval = 0.1

  /// Creates a line for `jobCount` jobs; if there is only one, `label` is its name.
  init(jobCount: Int, label: String, isShown: Bool, console: Console) {
    state = Lock(State(label: label, line: TerminalStatusLine(in: console)))
    self.jobCount = jobCount
    self.isShown = isShown && console.isLive
    start = System.seconds
  }

  /// Updates the progress of a job, in seconds of audio.
  func advance(job: Int, done: Double, total: Double?) {
    guard isShown else { return }
    let now = System.seconds
    state.withLock { state in
      state.active[job] = (done, total)
      guard now - state.lastDrawn >= Self.interval else { return }
      state.lastDrawn = now
      let progress = progress(state)
      state.line.draw { Self.text(progress, elapsed: now - start, columns: $0) }
    }
  }

  /// Records the end of a job.
  func finish(job: Int) {
    guard isShown else { return }
    state.withLock { state in
      state.finishedSeconds += state.active[job]?.done ?? 0
      state.active[job] = nil
      state.finishedCount += 1
    }
  }

  /// Clears the line so that other text can be printed.
  func clear() {
    state.withLock { $0.line.clear() }
  }

  /// The content of the line.
  struct Progress: Equatable {
    var label: String
    /// The completed fraction in 0…1; nil if the total is unknown.
    var fraction: Double?
    /// The seconds of audio done.
    var seconds: Double
  }

  private func progress(_ state: State) -> Progress {
    var seconds = state.finishedSeconds
    var parts = Double(state.finishedCount)
    var isKnown = true
    for job in state.active.values {
      seconds += job.done
      if let total = job.total, total > 0 {
        parts += min(1, job.done / total)
      } else {
        isKnown = jobCount > 1
      }
    }
    let label =
      jobCount > 1 ? "\(state.finishedCount) of \(jobCount) files" : state.label
    return Progress(
      label: label, fraction: isKnown ? parts / Double(max(1, jobCount)) : nil, seconds: seconds)
  }

  /// Returns the line for a terminal with a number of columns.
  static func text(_ progress: Progress, elapsed: Double, columns: Int) -> String {
    let speed = elapsed > 0 ? QuantityText.speed(progress.seconds / elapsed) : ""
    guard let fraction = progress.fraction else {
      return truncate(
        progress.label + "  " + QuantityText.duration(progress.seconds) + "  " + speed, to: columns)
    }
    let percent = QuantityText.fixed(fraction * 100, decimals: 0) + " %"
    var left = ""
    if fraction > 0.001 {
      let seconds = elapsed * (1 - fraction) / fraction
      left = "  " + QuantityText.clock(Int(seconds.rounded())) + " left"
    }
    let facts = "  \(percent)  \(speed)\(left)"
    let label = truncate(progress.label, to: max(8, columns / 3))
    let room = min(30, columns - 1 - label.count - facts.count - 4)
    guard room >= 5 else { return truncate(label + facts, to: columns) }
    let filled = min(room, max(0, Int(fraction * Double(room))))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled)
    return "\(label)  [\(bar)]\(facts)"
  }

  private static func truncate(_ text: String, to columns: Int) -> String {
    TerminalStatusLine.truncate(text, to: TerminalStatusLine.width(ofColumns: columns))
  }
}
