import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

/// The result of a playback: human-readable, as JSON, and as an exit status.
struct PlayReport {
  private let plan: PlayPlan
  private let summary: PlayerSummary

  /// Creates the report of a playback, which may have failed to start.
  init(_ plan: PlayPlan, _ summary: PlayerSummary) {
    self.plan = plan
    self.summary = summary
  }

  var exitStatus: ExitStatus {
    // Effects are created before the playback starts, so nothing was played.
    if case .effects(let error)? = summary.failure { return error.kind.exitStatus }
    if summary.failure != nil {
      return summary.playedItemCount > 0 ? .endedEarly : .cannotRead
    }
    // A stop before the first sound is not an error.
    let hasPlayedNothing = plan.items.isEmpty || summary.unreadable.count == plan.items.count
    if hasPlayedNothing, summary.playedItemCount == 0 { return .cannotRead }
    let isComplete = plan.failures.isEmpty && summary.unreadable.isEmpty && summary.damaged.isEmpty
    return isComplete ? .success : .failed
  }

  /// The message about an early end; nil if there is nothing to report.
  var message: String? {
    switch summary.failure {
    case nil: nil
    // The unreadable items were already reported.
    case .nothingReadable: nil
    case .playback where summary.playedItemCount > 0:
      "The playback ended early. " + (summary.failure?.commandMessage ?? "")
    case .some(let failure): failure.commandMessage
    }
  }

  /// The message about the played duration and the position in the file; nil if nothing was played.
  var playedMessage: String? {
    if summary.playedItemCount == 0 { return nil }
    let playedDuration = QuantityText.duration(summary.playedDuration / .seconds(1))
    if summary.playedItemCount > 1 {
      return "Played \(summary.playedItemCount) files for \(playedDuration)."
    }
    guard let position = summary.position else { return "Played for \(playedDuration)." }
    // At another speed the played duration differs from the position in the file.
    let played = "Played “\(displayed(plan.name(of: position.index)))” for \(playedDuration)"
    guard let duration = position.duration else { return "\(played)." }
    let end = QuantityText.duration(duration / .seconds(1))
    if summary.isComplete { return "\(played), to its end at \(end)." }
    return "\(played), up to \(QuantityText.duration(position.time / .seconds(1))) of \(end)."
  }

  func print(in console: Console) {
    if plan.report.printsJSON {
      console.print(json)
      console.output.flush()
      return
    }
    if let message { console.printError(message) }
    if plan.report.isQuiet { return }
    if let playedMessage { console.announce(playedMessage) }
    console.output.flush()
  }

  /// The last JSON object.
  var json: JSONValue {
    var message = message
    if case .nothingReadable(let error)? = summary.failure { message = error.playMessage }
    let members: [JSONValue.Member] = [
      .init("status", .text(exitStatus == .success ? "ok" : "error")),
      .init("error", .optional(summary.failure?.keyword)),
      .init("message", .optional(message)),
      .init("files", .integer(summary.playedItemCount)),
      .init("seconds", .decimal(summary.playedDuration / .seconds(1), 3)),
      .init("file", .optional(summary.position.map { plan.items[$0.index].path })),
      .init("position", summary.position.map { .decimal($0.time / .seconds(1), 3) } ?? .null),
      .init("complete", .flag(summary.isComplete)),
      .init("unreadable", .integer(summary.unreadable.count + plan.failures.count)),
      .init("damaged", .integer(summary.damaged.count)),
      .init("underruns", .integer(summary.underrunCount)),
      .init("lost", .decimal(summary.lost / .seconds(1), 3)),
    ]
    return .event("stopped", members)
  }
}

extension PlayerError {
  /// The keyword of the error in JSON.
  fileprivate var keyword: String {
    switch self {
    case .playback(let error): error.keyword(for: .playback)
    case .nothingReadable(let error): error.keyword
    case .effects(let error): error.kind.keyword
    case .noItems: "cannot-read"
    case .noThread, .alreadyStarted: "system"
    case .stopped: "stopped"
    }
  }
}
