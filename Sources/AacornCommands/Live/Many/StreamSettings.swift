import AacornRecording
import AacornStreaming
import AacornSystem

/// The settings of one stream in a file, parsed by the option table of the command.
struct StreamSettings {
  private(set) var command: StreamCommand
  private var restart = RestartPolicy.onFailure

  /// The options of the whole program, which are allowed only on the command line.
  static let shared: Set<String> = [
    "config", "check", "listen-status", "json", "verbose", "quiet", "help",
  ]
  /// The options that can be combined with `--config` on the command line.
  static let allowedWithConfig = shared.union(["credentials"])
  /// The settings in a file that are not options.
  private static let fileOnlyNames = ["file", "restart"]

  /// Created once, because building the table takes longer than a lookup.
  private static let parser = ArgumentParser(StreamCommand.syntax)
  /// Groups of mutually exclusive options.
  private static let alternatives: [Set<String>] = [
    ["file", "device", "source"], ["bitrate", "abr", "vbr", "bitrates"],
    ["metadata", "title", "artist"],
  ]

  /// Returns whether a word is an option without a value.
  static func isFlag(_ word: String) -> Bool {
    parser.syntax.options.contains { $0.description.long == word && !$0.description.takesValue }
  }

  /// Returns a notice about an option name of the previous version, or nil for other names.
  static func notice(about option: String) -> String? {
    let former = parser.syntax.formerOptions.first { $0.description.long == option }
    return former?.replacement.map { replacement in
      parser.replacementNotice(option, String(replacement.drop { $0 == "-" }))
    }
  }

  /// Returns the general options that do not apply, because a stream has its own.
  static func displaced(by own: Set<String>) -> Set<String> {
    var displaced = own
    for options in alternatives where !options.isDisjoint(with: own) {
      displaced.formUnion(options)
    }
    // A stream with a file needs no sound system, so the general `backend` does not apply.
    if own.contains("file") { displaced.insert("backend") }
    return displaced
  }

  /// Creates settings with the options for all streams.
  init(_ command: StreamCommand) {
    var common = StreamCommand()
    common.credentialsFile = command.credentialsFile
    common.report = command.report
    common.isFromFile = true
    common.sound.isUnattended = true
    self.command = common
  }

  /// Applies assignments and returns the mistakes in them.
  mutating func apply(
    _ assignments: [StreamsFile.Assignment], of stream: String?
  ) -> [StreamsMistake] {
    var mistakes: [StreamsMistake] = []
    for assignment in assignments {
      do throws(UsageError) {
        try apply(assignment)
      } catch {
        mistakes.append(StreamsMistake(line: assignment.line, stream: stream, error: error))
      }
    }
    return mistakes
  }

  /// Returns the stream, with all checks that are possible before its start.
  func entry(
    _ section: StreamsFile.Section, _ assignments: [StreamsFile.Assignment],
    environment: (String) -> String?
  ) throws(UsageError) -> StreamEntry {
    let plan = try LivePlan(command, environment: environment)
    if let error = command.overwriteError(of: plan) {
      throw UsageError(error.commandMessage)
    }
    return StreamEntry(
      name: section.name, line: section.line, plan: plan, restart: restart,
      settings: assignments.map { StreamEntry.Setting(option: $0.option, value: $0.value) },
      certificate: command.certificateFile.flatMap(FileVersion.init))
  }

  private mutating func apply(_ assignment: StreamsFile.Assignment) throws(UsageError) {
    switch assignment.option {
    case "file": try Self.parser.syntax.operand(&command, assignment.value)
    case "restart":
      guard let policy = RestartPolicy(rawValue: assignment.value) else {
        let words = RestartPolicy.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError(
          "restart does not accept “\(displayed(assignment.value))”.",
          hint: "Choose one of: \(words).")
      }
      restart = policy
    case "force":
      throw UsageError(
        "The option force is not available for streams: after a restart, a saved file gets "
          + "the next free number.", hint: "Omit it.")
    case let option where Self.shared.contains(option):
      throw UsageError(
        "The option \(option) applies to all streams.",
        hint: option == "help" ? "" : "Give it on the command line: --\(option).")
    default:
      try Self.parser.set(
        assignment.option, to: assignment.value, in: &command, besides: Self.fileOnlyNames)
    }
  }
}
