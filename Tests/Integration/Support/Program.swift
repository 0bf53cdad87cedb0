import Foundation
import SoundRigs
import Testing

/// A program on this machine that a test runs.
struct Program: Sendable {
  /// The exit status and the output of a run.
  struct Outcome: Sendable {
    var status: Int32
    var wasKilled: Bool
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String
  }

  let path: String

  /// The `aacorn` program that was built together with these tests.
  static let aacorn = Result {
    // The test bundle is a program in the products folder, or some folders below it.
    var folder = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
      .resolvingSymlinksInPath().deletingLastPathComponent()
    if let executable = Bundle.main.executableURL {
      folder = executable.resolvingSymlinksInPath().deletingLastPathComponent()
    }
    for bundle in [folder] + Bundle.allBundles.map(\.bundleURL) {
      var folder = bundle
      for _ in 0..<5 {
        let file = folder.appendingPathComponent("aacorn")
        if (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true {
          return Program(path: file.path)
        }
        folder.deleteLastPathComponent()
      }
    }
    throw Missing(
      description: "There is no aacorn near \(folder.path). Build it: swift build --build-tests")
  }

  /// A program of the system, or an error that names its package.
  static func find(_ name: String, package: String) throws -> Program {
    for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return Program(path: path) }
    }
    throw Missing(description: "There is no \(name). Scripts/setup --tests installs \(package).")
  }

  static func ffmpeg() throws -> Program { try find("ffmpeg", package: "ffmpeg") }
  static func ffprobe() throws -> Program { try find("ffprobe", package: "ffmpeg") }
  static func faad() throws -> Program { try find("faad", package: "faad") }
  static func shell() throws -> Program { try find("sh", package: "dash") }

  /// A running process.
  ///
  /// Its standard streams are files. A pipe could fill up, or stay open in the child of another
  /// test.
  ///
  /// Unchecked, because `Process` is not Sendable: its properties are set before it starts, and the
  /// handler that runs on another thread only signals the semaphore.
  final class Run: @unchecked Sendable {
    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)
    private let outputFile: URL
    private let errorFile: URL

    fileprivate init(
      _ path: String, _ arguments: [String], input: String?, folder: WorkFolder,
      environment: [String: String]?
    ) throws {
      let number = folder.nextNumber()
      outputFile = URL(fileURLWithPath: folder.hidden("output-\(number)"))
      errorFile = URL(fileURLWithPath: folder.hidden("errors-\(number)"))
      for file in [outputFile, errorFile] { try Data().write(to: file) }
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
      process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      if let environment { process.environment = environment }
      let handles = [
        try FileHandle(forReadingFrom: URL(fileURLWithPath: input ?? "/dev/null")),
        try FileHandle(forWritingTo: outputFile), try FileHandle(forWritingTo: errorFile),
      ]
      // The child has its own copies of the handles. Without these calls, the process object would
      // keep the handles open after the child has ended.
      defer { for handle in handles { try? handle.close() } }
      process.standardInput = handles[0]
      process.standardOutput = handles[1]
      process.standardError = handles[2]
      process.terminationHandler = { [ended] _ in ended.signal() }
      Self.takeInterruptions
      try Self.withoutBlockedSignals { try process.run() }
    }

    /// Restores the default signal handlers, which children inherit.
    ///
    /// A script that runs the tests in the background makes them ignore Ctrl-C.
    private static let takeInterruptions: Void = {
      for number in [SIGINT, SIGQUIT, SIGHUP] { _ = Foundation.signal(number, SIG_DFL) }
    }()

    /// Runs `body` with no signal blocked.
    ///
    /// A child inherits the signal mask of its parent thread, and the threads of a test runner
    /// block signals, including Ctrl-C.
    private static func withoutBlockedSignals(_ body: () throws -> Void) throws {
      var none = sigset_t()
      var before = sigset_t()
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
      defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
      try body()
    }

    var identifier: Int32 { process.processIdentifier }

    func interrupt() { process.interrupt() }

    func terminate() { process.terminate() }

    func signal(_ number: Int32) { _ = kill(process.processIdentifier, number) }

    /// Stops the process while a closure changes its files, so that the process sees all changes at
    /// once.
    func whileStopped(_ act: () throws -> Void) throws {
      signal(SIGSTOP)
      defer { signal(SIGCONT) }
      #expect(eventually { isStopped }, "The process has stopped.")
      try act()
    }

    /// Whether every thread of the process has stopped.
    ///
    /// A thread may still be in a system call after the others have stopped.
    private var isStopped: Bool {
      let threads = "/proc/\(process.processIdentifier)/task"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? []
      return !names.isEmpty
        && names.allSatisfy { name in
          let status = try? String(contentsOfFile: "\(threads)/\(name)/status", encoding: .utf8)
          return status?.contains("\nState:\tT") == true
        }
    }

    var isRunning: Bool { process.isRunning }

    /// Waits until the process handles a signal.
    ///
    /// A command handles signals before it waits for a pipe or reads a long file.
    func waitForHandler(of signal: Int32) -> Bool {
      eventually {
        let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        return (mask ?? 0) & 1 << UInt64(signal - 1) != 0
      }
    }

    /// The standard output up to now.
    var outputSoFar: String {
      String(decoding: (try? Data(contentsOf: outputFile)) ?? Data(), as: UTF8.self)
    }

    /// The standard error up to now.
    var errorsSoFar: String {
      String(decoding: (try? Data(contentsOf: errorFile)) ?? Data(), as: UTF8.self)
    }

    /// Waits for `text` on standard error.
    ///
    /// Returns false after a timeout.
    func waitForError(_ text: String) -> Bool { eventually { errorsSoFar.contains(text) } }

    /// Waits for `text` on standard output.
    ///
    /// Returns false if the process ends without it.
    func waitFor(_ text: String) -> Bool {
      eventually { outputSoFar.contains(text) || !process.isRunning } && outputSoFar.contains(text)
    }

    /// Sends a signal, waits for the end of the process, and expects its exit status.
    @discardableResult
    func end(
      _ signal: Int32, status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
      self.signal(signal)
      let outcome = try wait()
      #expect(
        outcome.status == status && !outcome.wasKilled, "\(outcome.text)\(outcome.errors)",
        sourceLocation: sourceLocation)
      return outcome
    }

    /// Waits for the end of the process, and kills it after `seconds`.
    func wait(seconds: Double = TestTimeout.seconds) throws -> Outcome {
      var wasKilled = false
      if ended.wait(timeout: .now() + seconds) == .timedOut {
        wasKilled = true
        _ = kill(process.processIdentifier, SIGKILL)
        ended.wait()
      }
      let status = process.terminationStatus
      return Outcome(
        status: process.terminationReason == .uncaughtSignal ? -status : status,
        wasKilled: wasKilled, output: try Data(contentsOf: outputFile),
        errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
    }
  }

  func start(
    _ arguments: [String], input: String? = nil, in folder: WorkFolder,
    environment: [String: String]? = nil
  ) throws -> Run {
    try Run(path, arguments, input: input, folder: folder, environment: environment)
  }

  func run(
    _ arguments: [String], input: String? = nil, in folder: WorkFolder,
    seconds: Double = TestTimeout.seconds
  ) throws -> Outcome {
    try start(arguments, input: input, in: folder).wait(seconds: seconds)
  }
}

extension WorkFolder {
  /// Starts the command.
  func start(_ arguments: [String], environment: [String: String]? = nil) throws -> Program.Run {
    try Program.aacorn.get().start(arguments, in: self, environment: environment)
  }

  /// Runs the command, and expects its exit status, and texts in its errors.
  @discardableResult
  func aacorn(
    _ arguments: String..., input: String? = nil, status: Int32 = 0, errors: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program.Outcome {
    let outcome = try Program.aacorn.get().run(arguments, input: input, in: self)
    return expect(outcome, status, errors, "\(arguments)", sourceLocation)
  }

  /// Runs the command, and expects its exit status, and texts in its errors.
  @discardableResult
  func aacorn(
    _ arguments: [String], status: Int32 = 0, errors: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program.Outcome {
    let outcome = try Program.aacorn.get().run(arguments, in: self)
    return expect(outcome, status, errors, "\(arguments)", sourceLocation)
  }

  /// Runs a shell line in which `$AACORN` is the command, and expects its exit status, if any, and
  /// texts in its errors.
  @discardableResult
  func shell(
    _ line: String, status: Int32? = nil, errors: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program.Outcome {
    let program = try Program.aacorn.get().path
    let outcome = try Program.shell().run(["-c", "AACORN='\(program)'; \(line)"], in: self)
    return expect(outcome, status ?? outcome.status, errors, line, sourceLocation)
  }

  private func expect(
    _ outcome: Program.Outcome, _ status: Int32, _ texts: [String], _ command: String,
    _ sourceLocation: SourceLocation
  ) -> Program.Outcome {
    let output = "\(command): \(outcome.text)\(outcome.errors)"
    #expect(outcome.status == status, "\(output)", sourceLocation: sourceLocation)
    for text in texts {
      #expect(outcome.errors.contains(text), "\(output)", sourceLocation: sourceLocation)
    }
    return outcome
  }

  /// Creates a named pipe.
  func makePipe(_ name: String) { #expect(unsafe mkfifo(path(name), 0o600) == 0) }
}
