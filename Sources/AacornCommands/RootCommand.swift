import AacornCodec
import AacornDevices
import AacornSystem

/// The program `aacorn`, which selects and runs a subcommand.
public enum RootCommand {
  static let version = "\(AacornVersion.number)"

  /// All subcommands with their names, in the order of help and completions.
  private static let subcommands: [(name: String, type: any Subcommand.Type)] = [
    ("record", RecordCommand.self), ("stream", StreamCommand.self), ("studio", StudioCommand.self),
    ("devices", DevicesCommand.self), ("effects", EffectsCommand.self), ("play", PlayCommand.self),
    ("encode", EncodeCommand.self), ("batch", BatchCommand.self), ("decode", DecodeCommand.self),
    ("cut", CutCommand.self), ("join", JoinCommand.self), ("inspect", InspectCommand.self),
    ("repair", RepairCommand.self), ("help", HelpCommand.self),
    ("completions", CompletionsCommand.self),
  ]

  static let names = subcommands.map(\.name)

  static var commands: [CommandDescription] { subcommands.map { $0.type.description } }

  /// Runs the process's command line and exits with its exit code.
  public static func runProcess() -> Never {
    let isOutputMissing = System.fillStandardDescriptors()
    Interruption.watchSignals()
    #if canImport(AudioToolbox)
    // A command-line program has no main run loop, so Core Audio must report changes without one.
    // Only commands with devices use Core Audio.
    if let name = System.arguments.dropFirst().first,
      ["record", "stream", "studio", "devices", "play"].contains(name)
    {
      CoreAudioSystem.receiveChangesWithoutRunLoop()
    }
    #endif
    let console = Console.process(isOutputMissing: isOutputMissing)
    var status = run(Array(System.arguments.dropFirst()), in: console)
    console.output.flush()
    status = console.status(status)
    console.errors.flush()
    // Read the signal only now: the flush may have raised the pipe signal.
    let signal = console.interruption.signal
    System.endProcess((signal.map { .interrupted(by: $0) } ?? status).code)
  }

  /// Runs a command line without the program's name.
  static func run(_ arguments: [String], in console: Console) -> ExitStatus {
    guard let name = arguments.first else {
      console.errors.write(welcome)
      return .usage
    }
    let rest = Array(arguments.dropFirst())
    do throws(UsageError) {
      if let command = subcommands.first(where: { $0.name == name }) {
        return try command.type.run(rest, in: console)
      }
      switch name {
      case "--help", "-h":
        console.output.write(overview)
        return .success
      case "--version", "-V", "version":
        console.print("aacorn \(version)")
        return .success
      default:
        throw unknown(name)
      }
    } catch {
      console.printError(error.text)
      return .usage
    }
  }

  private static let summary =
    "Records, encodes, streams, plays, inspects and repairs AAC audio."

  /// The most frequent tasks with their command lines.
  private static let tasks: [(command: String, purpose: String)] = [
    ("aacorn record talk.m4a", "Record until q is pressed"),
    ("aacorn encode --output-folder out music/", "Encode a folder"),
    ("aacorn stream --icecast icecast://HOST:8000/live.aac", "Stream the microphone"),
    ("aacorn play song.m4a", "Play a file, a folder or a web radio"),
    ("aacorn inspect --sound song.m4a", "Inspect a file: content, faults, loudness"),
    ("aacorn repair talk.m4a", "Repair a damaged file"),
  ]

  /// The text for a command line without a command.
  static var welcome: String {
    HelpText(
      summary: summary, tasks: tasks,
      ending: [
        "“aacorn help” lists all commands, “aacorn COMMAND --help” explains a command.",
        "“aacorn studio --open” does the same in a web page.",
      ]
    ).text
  }

  /// The help of the whole program.
  static var overview: String {
    HelpText(summary: summary, commands: commands, examples: tasks).text
  }

  /// The manual page of the whole program.
  static var manual: ManualPage {
    ManualPage(summary: summary, commands: commands, examples: tasks)
  }

  private static func unknown(_ name: String) -> UsageError {
    let shown = displayed(name)
    if name.hasPrefix("-") {
      return UsageError(
        "The option \(shown) belongs after a command.", hint: "See “aacorn --help”.")
    }
    if let advice = ForeignCommand.hint(for: name) {
      return UsageError("There is no command “\(shown)”.", hint: advice)
    }
    if let nearest = NearestName.to(name, among: names) {
      return UsageError("There is no command “\(shown)”.", hint: "Did you mean \(nearest)?")
    }
    if (try? System.status(of: name)) != nil {
      return UsageError(
        "“\(shown)” is a file, not a command.",
        hint: "Name a command first: “aacorn encode \(shown)”.")
    }
    return UsageError("There is no command “\(shown)”.", hint: "See “aacorn --help”.")
  }
}

/// A command of the program: its options as properties, the table of its options, and its action.
protocol Subcommand: Sendable {
  static var syntax: CommandSyntax<Self> { get }
  init()
  func run(in console: Console) throws(UsageError) -> ExitStatus
}

extension Subcommand {
  fileprivate static var description: CommandDescription { syntax.description }

  /// Runs a command line without the names of program and command.
  fileprivate static func run(
    _ arguments: [String], in console: Console
  ) throws(UsageError) -> ExitStatus {
    let syntax = syntax
    if let command = try syntax.parse(arguments, into: Self()) {
      return try command.run(in: console)
    }
    console.output.write(HelpText(brief: syntax.description).text)
    return .success
  }
}
