import Platform
import Streaming
import Studio

/// The studio from its first line to its last.
struct StudioRun {
  private let command: StudioCommand
  private let console: Console

  init(_ command: StudioCommand, in console: Console) {
    self.command = command
    self.console = console
  }

  /// Serves until somebody asks for the end, and says how it went.
  func run() -> ExitStatus {
    console.beginLongWork()
    let studio: StudioServer
    do throws(StreamingError) {
      studio = try start()
    } catch {
      if command.printsJSON { console.print(StudioReport.failure(error).encoded) }
      console.printError(error.sentence)
      return console.concludeLongWork(.cannotWrite) {}
    }
    announce(studio)
    if command.opensPage { open(studio) }
    while console.interruption.signal == nil {
      console.interruption.wait(
        milliseconds: 60_000, orForEndOf: console.resultPipe(printsJSON: command.printsJSON))
    }
    let wasRecording = studio.isRecording
    if wasRecording && !command.printsJSON {
      console.printError("The recording is being completed …")
    }
    studio.stop()
    let report = StudioReport(
      wasRecording ? studio.lastRecording : nil, folder: studio.configuration.folder)
    return console.concludeLongWork(.success) {
      report.print(in: console, asJSON: command.printsJSON)
    }
  }

  private func start() throws(StreamingError) -> StudioServer {
    var configuration = StudioConfiguration(
      folder: command.chosenFolder(environment: System.environment), address: command.address,
      port: command.port ?? StudioCommand.usualPort)
    if !HostAddress.isLoopback(command.address) {
      configuration.token = StudioConfiguration.newToken()
    }
    do throws(StreamingError) {
      return try StudioServer(configuration)
    } catch {
      // Whoever asked for a port wants that one and no other.
      guard error.kind == .taken, command.port == nil else { throw error }
      configuration.port = 0
      return try StudioServer(configuration)
    }
  }

  private func announce(_ studio: StudioServer) {
    if command.printsJSON {
      console.print(StudioReport.start(studio).encoded)
    } else {
      for url in studio.urls { console.print("Studio: \(url)") }
      console.print("Recordings: \(displayed(studio.configuration.folder))")
    }
    console.output.flush()
    if command.port == nil && studio.port != StudioCommand.usualPort {
      console.printError(
        "Port \(StudioCommand.usualPort) is in use by another program, perhaps by another studio,"
          + " so this one has port \(studio.port).")
    }
    if let problem = studio.folderProblem { console.printError("Warning: \(problem)") }
    if studio.configuration.token != nil {
      console.printError(
        "Warning: the connection is not encrypted, and who has the address can record here and hear"
          + " all recordings. Browsers on other machines do not allow pages like this one their own"
          + " microphone; that works at localhost only.")
    }
  }

  // MARK: - The browser

  private func open(_ studio: StudioServer) {
    let console = console
    let advice = "Open \(studio.url) yourself."
    do throws(SystemError) {
      let process = try System.launch(Self.opener, [studio.makeOpeningURL()])
      // The program may take its time, and may be the browser itself.
      _ = System.startThread {
        guard let code = System.waitForEnd(of: process), code != 0 else { return }
        studio.withdrawOpeningURL()
        console.printError("No browser could be opened (\(Self.opener), status \(code)). \(advice)")
      }
    } catch {
      studio.withdrawOpeningURL()
      console.printError(
        error == .notFound
          ? "There is no program “\(Self.opener)” that opens the browser. \(advice)"
          : "The browser cannot be opened: \(error.text). \(advice)")
    }
  }

  #if canImport(Darwin)
  private static let opener = "open"
  #else
  private static let opener = "xdg-open"
  #endif
}
