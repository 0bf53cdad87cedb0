import AacornContainers
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
    let members: JSONValue = [
      "status": .text(exitStatus == .success ? "ok" : "error"),
      "error": .optional(summary.failure?.keyword), "message": .optional(message),
      "files": .integer(summary.playedItemCount),
      "seconds": .decimal(summary.playedDuration / .seconds(1), 3),
      "file": .optional(summary.position.map { plan.items[$0.index].path }),
      "position": summary.position.map { .decimal($0.time / .seconds(1), 3) } ?? .null,
      "complete": .flag(summary.isComplete),
      "unreadable": .integer(summary.unreadable.count + plan.failures.count),
      "damaged": .integer(summary.damaged.count), "underruns": .integer(summary.underrunCount),
      "lost": .decimal(summary.lost / .seconds(1), 3),
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

extension PlayerEvent {
  /// Returns the event as JSON.
  ///
  /// Returns nil for the end, about which the report contains more.
  func json(wallTime: Int64, _ plan: PlayPlan) -> JSONValue? {
    func file(_ index: Int) -> JSONValue {
      ["index": .integer(index), "file": .text(plan.items[index].path)]
    }
    func seconds(_ duration: Duration?) -> JSONValue {
      duration.map { .decimal($0 / .seconds(1), 3) } ?? .null
    }
    func device(_ device: Device?) -> JSONValue {
      ["device": device?.outputJSON ?? .null]
    }
    switch self {
    case .opened(let found): return .event("opened", at: wallTime, device(found))
    case .started(let item):
      return .event(
        "started", at: wallTime,
        file(item.index) + [
          "sampleRate": .integer(item.sampleRate), "channels": .integer(item.channelCount),
          "duration": seconds(item.duration), "title": .optional(item.title),
          "artist": .optional(item.artist), "album": .optional(item.album),
        ])
    case .position(let position):
      return .event(
        "position", at: wallTime, file(position.index) + ["seconds": seconds(position.time)])
    case .ended(let index): return .event("ended", at: wallTime, file(index))
    case .unreadable(let index, let error):
      return .event(
        "unreadable", at: wallTime,
        file(index) + ["error": .text(error.keyword), "message": .text(error.playMessage)])
    case .damaged(let index, let message):
      return .event("damaged", at: wallTime, file(index) + ["message": .text(message)])
    case .fetching(let index, fetchedCount: let fetchedCount, byteCount: let byteCount):
      return .event(
        "fetching", at: wallTime,
        file(index) + ["bytes": .integer(fetchedCount), "totalBytes": .integer(byteCount)])
    case .lost(let index, let duration):
      return .event("lost", at: wallTime, file(index) + ["seconds": seconds(duration)])
    case .title(let index, let title):
      return .event("title", at: wallTime, file(index) + ["title": .text(title)])
    case .unseekable(let index): return .event("unseekable", at: wallTime, file(index))
    case .paused(let isPaused): return .event(isPaused ? "paused" : "continued", at: wallTime)
    case .deviceLost: return .event("device-lost", at: wallTime)
    case .deviceReturned(let found): return .event("device-returned", at: wallTime, device(found))
    case .deviceChanged(let found): return .event("device-changed", at: wallTime, device(found))
    case .suspended: return .event("suspended", at: wallTime)
    case .resumed: return .event("resumed", at: wallTime)
    case .underrun(let count):
      return .event("underrun", at: wallTime, ["frames": .integer(count)])
    case .stopped: return nil
    }
  }

  /// The importance of an event to the user.
  enum Weight { case error, always, verbose }

  /// Returns the event as a human-readable message, if it is reported.
  func message(_ plan: PlayPlan) -> (text: String, weight: Weight)? {
    switch self {
    case .opened(let device):
      guard let device else { return nil }
      // The built-in device uses no sound system.
      let system = device.backend == .synthetic ? "" : " through \(device.backend.title)"
      return ("Playback uses \(displayed(device.name))\(system).", .verbose)
    case .started(let item):
      var facts = [
        QuantityText.frequency(item.sampleRate), QuantityText.count(item.channelCount, "channel"),
      ]
      if let duration = item.duration {
        facts.append(QuantityText.duration(duration / .seconds(1)))
      }
      return (
        "Playing “\(displayed(plan.name(of: item.index)))” (\(facts.joined(separator: ", "))).",
        .verbose
      )
    case .unreadable(_, let error): return (error.playMessage, .error)
    case .damaged(_, let message): return (message, .error)
    case .fetching(let index, fetchedCount: 0, byteCount: let byteCount):
      return (
        "The format of “\(displayed(plan.name(of: index)))” cannot be played during the download. "
          + "\(QuantityText.size(byteCount)) are downloaded first.", .always
      )
    case .lost(let index, let duration):
      return (
        "\(QuantityText.length(duration / .seconds(1))) of the live stream "
          + "“\(displayed(plan.name(of: index)))” were lost.", .always
      )
    case .title(_, ""): return ("The station sends no title now.", .verbose)
    case .title(_, let title): return ("Now on air: \(displayed(title))", .always)
    case .unseekable(let index):
      let name = "“\(displayed(plan.name(of: index)))”"
      let fact =
        plan.items[index].isAddress
        ? "is a live stream, so its position cannot be changed."
        : "is a pipe, so playback cannot jump back."
      return ("\(name) \(fact)", .always)
    case .deviceLost:
      return ("The device was disconnected. Playback resumes when it returns.", .always)
    case .deviceReturned(let device):
      return ("Playback resumes on \(Self.name(device)).", .always)
    case .deviceChanged(let device): return ("Playback now uses \(Self.name(device)).", .always)
    case .suspended:
      return ("The device was suspended. Playback resumes when it wakes.", .always)
    case .resumed: return ("The device was resumed.", .always)
    case .underrun(let count):
      return (
        "\(QuantityText.count(count, "frame")) of silence were played, because audio arrived too "
          + "late.", .verbose
      )
    case .position, .fetching, .ended, .paused, .stopped: return nil
    }
  }

  private static func name(_ device: Device?) -> String {
    device.map { displayed($0.name) } ?? "the device"
  }
}
