import AacornRecording
import AacornStreaming
import AacornSystem

/// What the lines of a file say of one stream, understood one by one by the table of the command.
struct StreamSettings {
  private(set) var command: StreamCommand
  private var restart = RestartPolicy.onFailure

  /// Options that hold for the whole program, which therefore stand on its command line.
  static let shared: Set<String> = [
    "config", "check", "listen-status", "json", "verbose", "quiet", "help",
  ]
  /// Options that may stand beside a file on the command line.
  static let besides = shared.union(["credentials"])
  /// What a file says that no option does.
  private static let own = ["file", "restart"]

  /// Making the table takes longer than a lookup in it.
  private static let parser = ArgumentParser(StreamCommand.syntax)
  /// Options of which one makes the others meaningless.
  private static let alternatives: [Set<String>] = [
    ["file", "device", "source"], ["bitrate", "abr", "vbr", "bitrates"],
    ["metadata", "title", "artist"],
  ]

  /// Whether a word is an option without a value.
  static func isFlag(_ word: String) -> Bool {
    parser.syntax.options.contains { $0.description.long == word && !$0.description.takesValue }
  }

  /// The notice about an option name of the previous version; nil for other names.
  static func notice(about option: String) -> String? {
    let former = parser.syntax.formerOptions.first { $0.description.long == option }
    return former?.replacement.map { replacement in
      parser.notice("\(option)", String(replacement.drop { $0 == "-" }))
    }
  }

  /// The options for all streams that do not hold for one that has these itself.
  static func displaced(by own: Set<String>) -> Set<String> {
    var displaced = own
    for options in alternatives where !options.isDisjoint(with: own) {
      displaced.formUnion(options)
    }
    // A file comes through no sound system.
    if own.contains("file") { displaced.insert("backend") }
    return displaced
  }

  /// Begins with what holds for all streams.
  init(_ command: StreamCommand) {
    var common = StreamCommand()
    common.credentialsFile = command.credentialsFile
    common.isVerbose = command.isVerbose
    common.isQuiet = command.isQuiet
    common.printsJSON = command.printsJSON
    common.isFromFile = true
    common.sound.isUnattended = true
    self.command = common
  }

  /// Takes lines, and returns what is wrong with them.
  mutating func take(
    _ assignments: [StreamsFile.Assignment], of stream: String?
  ) -> [StreamsMistake] {
    var mistakes: [StreamsMistake] = []
    for assignment in assignments {
      do throws(UsageError) {
        try take(assignment)
      } catch {
        mistakes.append(StreamsMistake(line: assignment.line, stream: stream, error: error))
      }
    }
    return mistakes
  }

  /// The stream, with everything checked that can be before it begins.
  func entry(
    _ section: StreamsFile.Section, _ assignments: [StreamsFile.Assignment],
    environment: (String) -> String?
  ) throws(UsageError) -> StreamEntry {
    let plan = try StreamPlan(command, environment: environment)
    if let refusal = command.refusal(of: plan) {
      throw UsageError(refusal.commandSentence)
    }
    return StreamEntry(
      name: section.name, line: section.line, plan: plan, restart: restart,
      settings: assignments.map { StreamEntry.Setting(option: $0.option, value: $0.value) },
      certificate: command.certificateFile.flatMap(FileVersion.init))
  }

  private mutating func take(_ assignment: StreamsFile.Assignment) throws(UsageError) {
    switch assignment.option {
    case "file": try Self.parser.syntax.operand(&command, assignment.value)
    case "restart":
      guard let policy = RestartPolicy(rawValue: assignment.value) else {
        let words = RestartPolicy.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError(
          "restart does not accept “\(displayed(assignment.value))”.",
          advice: "Choose one of: \(words).")
      }
      restart = policy
    case "force":
      throw UsageError(
        "The option force is not for streams, which restart by themselves: a saved file "
          + "gets the next free number and replaces nothing.", advice: "Omit it.")
    case let option where Self.shared.contains(option):
      throw UsageError(
        "The option \(option) is not for one stream.",
        advice: option == "help" ? "" : "Give it on the command line: --\(option).")
    default:
      try Self.parser.set(assignment.option, to: assignment.value, in: &command, besides: Self.own)
    }
  }
}

extension StreamCommand {
  /// Whether an address of a server contains a password or a stream key.
  var hasSecretsInAddresses: Bool {
    serverAddresses.contains { !$0.secrets.isEmpty }
  }
}
