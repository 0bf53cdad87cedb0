import AacornContainers
import AacornNetwork
import AacornStudio
import AacornSystem

/// A run of the studio, from its start to the report.
struct StudioRun {
  private let command: StudioCommand
  private let access: StudioAccess
  private let console: Console
  /// The problems that were already printed.
  private let reported = Lock<Set<String>>([])

  init(_ command: StudioCommand, _ access: StudioAccess, in console: Console) {
    self.command = command
    self.access = access
    self.console = console
  }

  /// Serves until a signal, and returns the exit status.
  func run() -> ExitStatus {
    console.beginLongWork()
    let studio: StudioServer
    do throws(NetworkError) {
      studio = try start()
    } catch {
      if command.printsJSON { console.print(StudioReport.failure(error)) }
      console.printError(error.message)
      return console.finishLongWork(.cannotWrite) {}
    }
    announce(studio)
    if command.opensPage { open(studio) }
    while console.interruption.signal == nil {
      if waitForAddressRequest() { printURLs(studio.makeOneTimeURLs(), of: studio) }
    }
    if studio.isRecording && !command.printsJSON {
      console.printError("The recording is being completed …")
    }
    let ending = studio.stop()
    let report = StudioReport(ending, folder: studio.configuration.folder)
    return console.finishLongWork(report.exitStatus) {
      report.print(
        in: console, asJSON: command.printsJSON, exceptLosses: reported.withLock { $0 })
    }
  }

  private func start() throws(NetworkError) -> StudioServer {
    var configuration = StudioConfiguration(
      folder: command.chosenFolder(environment: System.environment), endpoint: command.endpoint,
      access: access, proxyURLs: command.urls)
    let (console, reported, printsJSON) = (console, reported, command.printsJSON)
    // Print problems immediately, because the studio may run for days.
    let reportIncident: @Sendable (String) -> Void = { message in
      reported.withLock { _ = $0.insert(message) }
      console.printError(message)
      if printsJSON {
        console.print(.event("warning", ["message": .text(message)]))
        console.output.flush()
      }
    }
    do throws(NetworkError) {
      return try StudioServer(configuration, reportIncident: reportIncident)
    } catch {
      // Do not replace a port that the user has chosen.
      guard error.kind == .taken, command.port == nil,
        case .port(_, let address) = configuration.endpoint
      else { throw error }
      configuration.endpoint = .port(0, address: address)
      return try StudioServer(configuration, reportIncident: reportIncident)
    }
  }

  // MARK: - Output

  /// Whether the printed address contains a code that logs the browser in.
  private var hasCode: Bool {
    access != .unrestricted && !command.hasChosenToken(environment: System.environment)
  }

  private func announce(_ studio: StudioServer) {
    let urls = hasCode ? studio.makeOneTimeURLs() : studio.urls
    if command.printsJSON {
      console.print(StudioReport.start(studio, urls))
    } else {
      printURLs(urls, of: studio)
      console.announce("Recordings: \(displayed(studio.configuration.folder))")
      if let hint { console.announce(hint) }
    }
    console.output.flush()
    if case .port(let port, _) = command.endpoint, port != 0, studio.port != port {
      console.printError(
        "Port \(port) is in use by another program, perhaps another studio, so this one uses port"
          + " \(studio.port).")
    }
    if let problem = studio.folderProblem { console.printError("Warning: \(problem)") }
    if let warning = StudioReport.warning(studio.configuration) {
      console.printError("Warning: \(warning)")
    }
  }

  private var hint: String? {
    let method = hasKeyboard ? "Enter" : "SIGHUP"
    if access == .unrestricted { return nil }
    return hasCode
      ? "The address logs in one browser, once; \(method) prints another."
      : "The page asks for the token; \(method) prints an address that logs in one browser without it."
  }

  private func printURLs(_ urls: [String], of studio: StudioServer) {
    if command.printsJSON {
      console.print(StudioReport.addresses(urls))
    } else {
      let location = command.socket.map { " at the socket \(displayed($0))" } ?? ""
      for url in urls {
        console.announce("Studio: \(url)\(command.urls.isEmpty ? location : "")")
      }
    }
    console.output.flush()
  }

  // MARK: - Another address

  /// Whether the user can press Enter.
  private var hasKeyboard: Bool {
    console.interruption === Interruption.process && System.isTerminal(System.standardInput)
  }

  /// Waits, and returns whether the user requested another address.
  private func waitForAddressRequest() -> Bool {
    // In the background a read from the terminal would suspend this program.
    let canReadKeyboard = hasKeyboard && System.isInForeground(System.standardInput)
    console.interruption.wait(
      milliseconds: hasKeyboard && !canReadKeyboard ? 1000 : 60_000,
      orFor: canReadKeyboard ? System.standardInput : nil,
      orForEndOf: console.resultPipe(printsJSON: command.printsJSON))
    let hangUpCount = console.interruption.takeHangUps()
    return (canReadKeyboard && hasPressedEnter()) || hangUpCount > 0
  }

  private func hasPressedEnter() -> Bool {
    guard System.isInForeground(System.standardInput), System.isReadable(System.standardInput)
    else { return false }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = (try? System.read(System.standardInput, into: &bytes)) ?? 0
    // At the end of the input, reads return immediately, so pause before the next check.
    if count == 0 { System.sleep(milliseconds: 200) }
    return bytes[..<count].contains(UInt8(ascii: "\n"))
  }

  // MARK: - The browser

  private func open(_ studio: StudioServer) {
    let console = console
    let advice = "Open the address above yourself."
    do throws(SystemError) {
      let process = try System.launch(Self.opener, [studio.makeOpeningURL()])
      // The command that opens the browser may be slow or never end, so wait for it on another
      // thread.
      _ = System.startThread("browser") {
        guard let code = System.waitForEnd(of: process), code != 0 else { return }
        studio.withdrawOpeningURL()
        console.printError("No browser could be opened (\(Self.opener), status \(code)). \(advice)")
      }
    } catch {
      studio.withdrawOpeningURL()
      console.printError(
        error == .notFound
          ? "There is no program “\(Self.opener)” to open the browser. \(advice)"
          : "The browser cannot be opened: \(error.text). \(advice)")
    }
  }

  #if canImport(Darwin)
  private static let opener = "open"
  #else
  private static let opener = "xdg-open"
  #endif
}
