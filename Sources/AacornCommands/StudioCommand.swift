import AacornStudio
import AacornSystem
import AacornWeb

/// `aacorn studio`.
struct StudioCommand: Subcommand {
  /// The requested port.
  var port: Int?
  /// The requested address.
  var address: String?
  /// The path of the requested socket.
  var socket: String?
  /// The addresses at which a proxy makes it reachable.
  var urls: [String] = []
  var tokenFile: String?
  var letsEverybodyIn = false
  var folder: String?
  var opensPage = false
  var printsJSON = false

  /// The default port if it is free.
  static let usualPort = 4848

  static var syntax: CommandSyntax<StudioCommand> {
    CommandSyntax(
      CommandDescription(
        name: "studio", summary: "Serves a web page to record, keep and inspect sound.",
        operands: .none,
        discussion: [
          "Open the address that it prints in a browser. The page records from this machine's "
            + "microphones, keeps the recordings in a folder, plays, renames, repairs and inspects "
            + "them, and records and converts in the browser as well. It needs no connection to the "
            + "internet.",
          "The address lets one browser in, once, and that browser is remembered. Enter prints "
            + "another one; so does SIGHUP if there is no terminal. With a token of your own "
            + "(--token-file, or \(tokenVariable) in the environment) the address is a plain one, "
            + "and its page asks for the token.",
          "Only this machine can reach it unless --bind says otherwise. That connection is not "
            + "encrypted: anyone who can read the network's traffic can log in, too. With "
            + "--no-token, everyone who can reach it can listen in, record and delete: all users "
            + "of this machine and their programs, and with --bind those of other machines.",
          "It ends at Ctrl-C or SIGTERM; a recording in progress is completed first. A second "
            + "signal ends it at once, and what was recorded can be repaired.",
        ],
        examples: [
          ("aacorn studio --open", "and open it in the default browser"),
          ("aacorn studio --folder talks --port 8000", "with other recordings, elsewhere"),
          ("aacorn studio --bind 0.0.0.0", "for phones and other machines of a trusted network"),
          (
            "aacorn studio --socket /run/studio/socket --url https://studio.example/",
            "for a proxy that encrypts"
          ),
        ],
        exitCodes: ExitStatus.studioTable),
      options: options
    ) { (command, operand) throws(UsageError) in
      throw UsageError(
        "“\(displayed(operand))” is an unexpected argument.",
        advice: "The command takes options only; the recordings are in --folder.")
    }
  }

  private static var options: [CommandSyntax<StudioCommand>.Option] {
    [
      .value(
        "port", short: "p", .text("N"), in: "Server",
        "Port; the default is \(usualPort), or any free one if that is taken. 0 is any free one."
      ) { (command, value) throws(UsageError) in
        guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(value),
          port <= 65_535
        else {
          throw UsageError(
            "--port does not understand “\(displayed(value))”.",
            advice: "Give a number from 1 to 65535, or 0 for any free one.")
        }
        command.port = port
      },
      .value(
        "bind", .text("ADDRESS"), in: "Server",
        "Numeric address of this machine to listen on; * or 0.0.0.0 for all. The default is "
          + "127.0.0.1, which no other machine can reach."
      ) { (command, value) throws(UsageError) in command.address = try address(value) },
      .value(
        "socket", .file("PATH"), in: "Server",
        "Listen on a Unix socket instead of a port, for a proxy; only this user and root can "
          + "connect to it."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The socket has an empty name.") }
        command.socket = value
      },
      .value(
        "url", .text("URL"), in: "Server",
        "Address by which a proxy makes the studio reachable, such as https://studio.example/; may "
          + "be repeated. Requests for names that are not its own are refused otherwise."
      ) { (command, value) throws(UsageError) in
        do throws(NetworkError) {
          command.urls.append(try ProxyAddress(value).url)
        } catch {
          throw UsageError(error.sentence)
        }
      },
      .flag(
        "open", in: "Server",
        "Open the page in the default browser, with a code that is valid once and for two minutes.",
        \.opensPage),
      .value(
        "token-file", .file("FILE"), in: "Access",
        "File with the token that grants access, which nobody else may read; at least "
          + "\(StudioAccess.shortestToken) characters. Programs send it as “Authorization: Bearer”."
      ) { (command, value) throws(UsageError) in command.tokenFile = value },
      .flag(
        "no-token", in: "Access",
        "Let in everyone who can reach it: other users of this machine, and with --bind other "
          + "machines.",
        \.letsEverybodyIn),
      .value(
        "folder", .folder("PATH"), in: "Recordings",
        "Folder with the recordings, created if missing; the default is Recordings in your home "
          + "folder."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The folder has an empty name.") }
        command.folder = value
      },
      .flag("json", in: "Other", "Print one JSON object per event.", \.printsJSON),
    ]
  }

  private static func address(_ value: String) throws(UsageError) -> String {
    switch value {
    case "*": return "0.0.0.0"
    case "localhost": return "127.0.0.1"
    default: break
    }
    let isBracketed = value.hasPrefix("[") && value.hasSuffix("]")
    let address = isBracketed ? String(value.dropFirst().dropLast()) : value
    if HostAddress.isNumeric(address) { return address }
    throw UsageError(
      "--bind does not understand “\(displayed(value))”.",
      advice: "Give a numeric address such as 192.168.1.5, or * for all of this machine's.")
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try check(environment: System.environment)
    let access = try access(environment: System.environment)
    return StudioRun(self, access, in: console).run()
  }

  /// The folder with the recordings.
  func chosenFolder(environment: (String) -> String?) -> String {
    if let folder { return folder }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return "Recordings" }
    return home.hasSuffix("/") ? home + "Recordings" : home + "/Recordings"
  }
}
