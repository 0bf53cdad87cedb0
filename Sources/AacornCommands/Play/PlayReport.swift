import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

/// The result of a playback, for people, for programs and for the shell.
struct PlayReport {
  private let plan: PlayPlan
  private let summary: PlayerSummary

  /// Reports on a playback, which may not have begun.
  init(_ plan: PlayPlan, _ summary: PlayerSummary) {
    self.plan = plan
    self.summary = summary
  }

  /// The exit code.
  var exitStatus: ExitStatus {
    // Effects are made before anything is heard.
    if case .effects(let error)? = summary.failure { return error.kind.exitStatus }
    if summary.failure != nil {
      return summary.playedItemCount > 0 ? .endedEarly : .cannotRead
    }
    // It may have been stopped before anything was heard.
    let isNothing = plan.items.isEmpty || summary.unreadable.count == plan.items.count
    if isNothing, summary.playedItemCount == 0 { return .cannotRead }
    let isWhole = plan.failures.isEmpty && summary.unreadable.isEmpty && summary.damaged.isEmpty
    return isWhole ? .success : .failed
  }

  /// Why it ended before it was over; nil if there is nothing to say.
  var sentence: String? {
    switch summary.failure {
    case nil: nil
    // Told when it happened.
    case .nothingReadable: nil
    case .playback where summary.playedItemCount > 0:
      "The playback ended early. " + (summary.failure?.commandSentence ?? "")
    case .some(let failure): failure.commandSentence
    }
  }

  /// How long something was heard, and how far in the file, as a sentence; nil if that was nothing.
  var heardSentence: String? {
    if summary.playedItemCount == 0 { return nil }
    let heard = QuantityText.duration(summary.heard / .seconds(1))
    if summary.playedItemCount > 1 {
      return "Played \(summary.playedItemCount) files for \(heard)."
    }
    guard let position = summary.position else { return "Played for \(heard)." }
    // At another speed this is not how much of the file was heard.
    let played = "Played “\(displayed(plan.name(of: position.index)))” for \(heard)"
    guard let duration = position.duration else { return "\(played)." }
    let end = QuantityText.duration(duration / .seconds(1))
    if summary.isComplete { return "\(played), to its end at \(end)." }
    return "\(played), up to \(QuantityText.duration(position.time / .seconds(1))) of \(end)."
  }

  /// Prints everything.
  func print(in console: Console) {
    if plan.printsJSON {
      console.print(json.encoded)
      console.output.flush()
      return
    }
    if let sentence { console.printError(sentence) }
    if plan.isQuiet { return }
    if let heardSentence { console.announce(heardSentence) }
    console.output.flush()
  }

  /// The last object for programs; keys keep their names and order.
  var json: JSONValue {
    var message = sentence
    if case .nothingReadable(let error)? = summary.failure { message = error.playSentence }
    return .object([
      .init("event", .text("stopped")),
      .init("time", .text(Timestamp.iso8601(System.wallNanoseconds))),
      .init("status", .text(exitStatus == .success ? "ok" : "error")),
      .init("error", .optional(summary.failure?.word)),
      .init("message", .optional(message)),
      .init("files", .integer(summary.playedItemCount)),
      .init("seconds", .decimal(summary.heard / .seconds(1), 3)),
      .init("file", .optional(summary.position.map { plan.items[$0.index].path })),
      .init("position", summary.position.map { .decimal($0.time / .seconds(1), 3) } ?? .null),
      .init("complete", .flag(summary.isComplete)),
      .init("unreadable", .integer(summary.unreadable.count + plan.failures.count)),
      .init("damaged", .integer(summary.damaged.count)),
      .init("underruns", .integer(summary.underrunCount)),
      .init("lost", .decimal(summary.lost / .seconds(1), 3)),
    ])
  }
}

extension PlayerError {
  /// The word for the kind in JSON.
  fileprivate var word: String {
    switch self {
    case .playback(let error):
      switch error {
      case .nothingUsable, .noDevice: "no-device"
      case .noServer: "no-server"
      case .unknownDevice, .ambiguousDevice: "unknown-device"
      case .permissionDenied: "not-permitted"
      case .libraryMissing, .libraryUnsuitable, .backendUnavailable: "no-backend"
      case .deviceBusy, .cannotInterrupt, .alreadyRunning, .unsupportedFormat, .system:
        "cannot-play"
      }
    case .nothingReadable(let error): error.word
    case .effects(let error): error.kind.word
    case .noItems: "cannot-read"
    case .noThread, .alreadyStarted: "system"
    case .stopped: "stopped"
    }
  }
}
