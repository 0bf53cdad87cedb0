import Platform
import Streaming
import Studio

/// `aacorn studio`.
struct StudioCommand: Subcommand {
  /// The port that was asked for.
  var port: Int?
  var address = "127.0.0.1"
  var folder: String?
  var opensPage = false
  var printsJSON = false

  /// The port if none is asked for and it is free.
  static let usualPort = 4848

  static var syntax: CommandSyntax<StudioCommand> {
    CommandSyntax(
      CommandDescription(
        name: "studio", summary: "Serves a page that records, keeps and looks into sound.",
        operands: .none,
        discussion: [
          "Open the address that it prints in a browser. The page records from this machine's "
            + "microphones, keeps the recordings in a folder, plays, renames, repairs and inspects "
            + "them, and records and converts in the browser as well. It needs no connection to the "
            + "internet.",
          "Only this machine can reach it unless --bind says otherwise. Then everybody who has the "
            + "whole address, which ends in a token that is new each time, can listen in, record and "
            + "delete; and since the connection is not encrypted, so can everybody who can read the "
            + "network's traffic.",
          "It ends at Ctrl-C or SIGTERM; a recording that is going on is completed first. A second "
            + "signal ends it at once, and what was recorded can be repaired.",
        ],
        examples: [
          ("aacorn studio --open", "and look at it in the usual browser"),
          ("aacorn studio --folder talks --port 8000", "with other recordings, elsewhere"),
          ("aacorn studio --bind 0.0.0.0", "for phones and other machines of a trusted network"),
        ],
        exitCodes: ExitStatus.studioTable),
      options: options
    ) { (command, operand) throws(UsageError) in
      throw UsageError(
        "“\(displayed(operand))” is too much.",
        advice: "The command takes options only; the recordings are in --folder.")
    }
  }

  private static var options: [CommandSyntax<StudioCommand>.Option] {
    [
      .value(
        "port", short: "p", .text("N"), in: "Server",
        "Port; \(usualPort) if not given, or any free one if that is taken. 0 is any free one."
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
        "Address of this machine to listen at, in numbers; * or 0.0.0.0 for all. 127.0.0.1 if not "
          + "given, which nobody else can reach."
      ) { (command, value) throws(UsageError) in command.address = try address(value) },
      .flag(
        "open", in: "Server",
        "Open the page in the usual browser; where there is a token, by a code that is good once.",
        \.opensPage),
      .value(
        "folder", .folder("PATH"), in: "Recordings",
        "Folder with the recordings, made if need be; Recordings in your home folder if not given."
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
      advice: "Give an address in numbers such as 192.168.1.5, or * for all of this machine's.")
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    StudioRun(self, in: console).run()
  }

  /// The folder with the recordings.
  func chosenFolder(environment: (String) -> String?) -> String {
    if let folder { return folder }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return "Recordings" }
    return home.hasSuffix("/") ? home + "Recordings" : home + "/Recordings"
  }
}
