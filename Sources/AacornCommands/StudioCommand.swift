import AacornNetwork
import AacornStudio
import AacornSystem

struct StudioCommand: Subcommand {
  var port: Int?
  /// The numeric address to listen on; nil for the loopback address.
  var address: String?
  /// The path of a Unix socket to listen on, instead of a port.
  var socket: String?
  /// The addresses under which a proxy makes the studio available.
  var urls: [String] = []
  var tokenFile: String?
  var allowsAnonymousAccess = false
  var folder: String?
  var opensPage = false
  var printsJSON = false

  /// The default port, used if it is free.
  static let defaultPort = 4848

  static var syntax: CommandSyntax<StudioCommand> {
    CommandSyntax(
      CommandDescription(
        name: "studio", summary: "Serves a web page for recording, playing and inspecting.",
        operands: .none,
        discussion: [
          "Open the printed address in a browser. The page records from this machine's microphones and "
            + "keeps the recordings in a folder. It plays, renames, repairs and inspects them, and "
            + "records and converts files in the browser. No internet connection is needed.",
          "The address logs in one browser, once; the browser stays logged in. Press Enter for another "
            + "address; without a terminal, send SIGHUP. With your own token (--token-file, or "
            + "\(tokenVariable) in the environment), the page asks for the token.",
          "Only this machine can connect unless --bind is given. That connection is not encrypted: "
            + "anyone who can read the network traffic can log in. With --no-token, everyone who can "
            + "connect can monitor, record and delete: all users and programs of this machine, and "
            + "with --bind those of other machines.",
          "The studio ends at Ctrl-C or SIGTERM, after completing a recording in progress. A second "
            + "signal ends it immediately; the recording can then be repaired.",
        ],
        examples: [
          ("aacorn studio --open", "Open the page in the default browser."),
          ("aacorn studio --folder talks --port 8000", "Use another folder and port."),
          ("aacorn studio --bind 0.0.0.0", "Allow other machines of a trusted network."),
          (
            "aacorn studio --socket /run/studio/socket --url https://studio.example/",
            "Serve a reverse proxy that encrypts."
          ),
        ],
        exitCodes: ExitStatus.studioTable),
      options: [
        ("Server", serverOptions), ("Access", accessOptions),
        (
          "Recordings",
          [
            .path(
              "folder", .folder("PATH"),
              "Folder of the recordings, created if missing (default ~/Recordings).", "folder",
              \.folder)
          ]
        ), ("Other", [.flag("json", "Print one JSON object per event.", \.printsJSON)]),
      ],
      operandHint: "Choose the folder of the recordings with --folder.")
  }

  private typealias Option = CommandSyntax<StudioCommand>.Option

  private static var serverOptions: [Option] {
    [
      .value(
        "port", short: "p", .text("N"),
        "Port (default \(defaultPort), or a free port if it is in use); 0 selects a free port.",
        \.port, OptionValue.port),
      .value(
        "bind", .text("ADDRESS"),
        "Listen on this numeric address (default 127.0.0.1: this machine only). * or 0.0.0.0 listens "
          + "on all addresses.", \.address, OptionValue.numericAddress),
      .path(
        "socket", .file("PATH"),
        "Listen on a Unix socket instead of a port, for a proxy. Only this user and root can connect.",
        "socket", \.socket),
      .value(
        "url", .text("URL"),
        "Accept requests for this address of a proxy, such as https://studio.example/. May be repeated. "
          + "Requests for other names are rejected."
      ) { (command, value) throws(UsageError) in
        command.urls.append(
          try rethrow(
            as: { (error: NetworkError) in UsageError(error.message) }, ProxyAddress(value).url))
      },
      .flag(
        "open",
        "Open the page in the default browser. The login code is valid once, for two minutes.",
        \.opensPage),
    ]
  }

  private static var accessOptions: [Option] {
    [
      .value(
        "token-file", .file("FILE"),
        "Read the access token, at least \(StudioAccess.minTokenLength) characters, from a private file "
          + "(chmod 600). Programs send it as “Authorization: Bearer”.", \.tokenFile),
      .flag(
        "no-token",
        "Allow access without a token: for all users of this machine, and with --bind other machines.",
        \.allowsAnonymousAccess),
    ]
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try check(environment: System.environment)
    let access = try access(environment: System.environment)
    return StudioRun(self, access, in: console).run()
  }

  func chosenFolder(environment: (String) -> String?) -> String {
    if let folder { return folder }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return "Recordings" }
    return home.hasSuffix("/") ? home + "Recordings" : home + "/Recordings"
  }
}

extension OptionValue {
  fileprivate static func port(_ value: String, _ option: String) throws(UsageError) -> Int {
    if value.utf8.allSatisfy(\.isDigit), let port = Int(value), port <= 65_535 {
      return port
    }
    throw outOfRange(value, option, "0 to 65535", suchAs: "; 0 selects a free port")
  }

  fileprivate static func numericAddress(
    _ value: String, _ option: String
  ) throws(UsageError) -> String {
    switch value {
    case "*": return "0.0.0.0"
    case "localhost": return "127.0.0.1"
    default: break
    }
    let isBracketed = value.hasPrefix("[") && value.hasSuffix("]")
    let address = isBracketed ? String(value.dropFirst().dropLast()) : value
    if HostAddress.isNumeric(address) { return address }
    throw UsageError.misunderstood(
      value, option, hint: "Give a numeric address such as 192.168.1.5, or * for all addresses.")
  }
}

// The endpoint and the access control of the studio, from the options and the environment.
extension StudioCommand {
  static let tokenVariable = "AACORN_STUDIO_TOKEN"

  /// Rejects contradictory options.
  func check(environment: (String) -> String?) throws(UsageError) {
    try reject(
      if: socket != nil && (port != nil || address != nil),
      "The studio listens either on a socket or on a port.",
      hint: "Omit --socket, or --port and --bind.")
    try reject(
      if: socket != nil && opensPage && urls.isEmpty, "A browser cannot open a socket.",
      hint: "Give the address of its proxy with --url, or omit --open.")
    guard allowsAnonymousAccess else { return }
    try reject(
      if: tokenFile != nil, "--token-file and --no-token exclude each other.",
      hint: "Omit --token-file or --no-token.")
    try reject(
      if: hasToken(environment),
      "The environment contains a token for the studio, \(Self.tokenVariable).",
      hint: "Omit --no-token, or unset it.")
  }

  /// The socket, or the port and address, to listen on.
  var endpoint: StudioEndpoint {
    if let socket { return .socket(socket) }
    return .port(port ?? Self.defaultPort, address: address ?? "127.0.0.1")
  }

  private func hasToken(_ environment: (String) -> String?) -> Bool {
    environment(Self.tokenVariable)?.isEmpty == false
  }

  func hasChosenToken(environment: (String) -> String?) -> Bool {
    !allowsAnonymousAccess && (tokenFile != nil || hasToken(environment))
  }

  /// Returns the access control; a token file takes precedence over the environment.
  func access(environment: (String) -> String?) throws(UsageError) -> StudioAccess {
    if allowsAnonymousAccess { return .unrestricted }
    let token: String
    if let tokenFile {
      token = try OptionValue.secret(
        in: tokenFile, option: "--token-file", content: "the token", environment: environment
      ).trimmed
    } else if hasToken(environment) {
      token = environment(Self.tokenVariable) ?? ""
    } else {
      return .newToken
    }
    let access = StudioAccess.token(token)
    do throws(NetworkError) {
      try access.check()
    } catch {
      let tokenOrigin =
        tokenFile.map { "“\(displayed($0))”" } ?? "the variable \(Self.tokenVariable)"
      throw UsageError(error.message, hint: "It comes from \(tokenOrigin).")
    }
    return access
  }
}
