import Foundation
import SoundRigs
import Testing

/// A program on this machine, run to its end.
struct Program: Sendable {
  /// How a run ended and what it said.
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

  /// The `aacorn` that was built together with these tests.
  static let aacorn = Result {
    // The test bundle is a program in the folder of products, or some folders below it.
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

  /// A program of the system, or an error that says which package has it.
  static func find(_ name: String, package: String) throws -> Program {
    for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return Program(path: path) }
    }
    throw Missing(description: "There is no \(name). Install it: apt-get install \(package)")
  }

  static func ffmpeg() throws -> Program { try find("ffmpeg", package: "ffmpeg") }
  static func ffprobe() throws -> Program { try find("ffprobe", package: "ffmpeg") }
  static func faad() throws -> Program { try find("faad", package: "faad") }
  static func shell() throws -> Program { try find("sh", package: "dash") }

  /// A run that has begun.
  ///
  /// Its streams are files, so that no pipe can fill up, and none can stay open in the child of
  /// another test.
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
      // The child has its own; a process that has ended keeps these open.
      defer { for handle in handles { try? handle.close() } }
      process.standardInput = handles[0]
      process.standardOutput = handles[1]
      process.standardError = handles[2]
      process.terminationHandler = { [ended] _ in ended.signal() }
      Self.takeInterruptions
      try Self.withoutBlockedSignals { try process.run() }
    }

    /// Has Ctrl-C have its effect in children, as in a terminal, although a script that starts the
    /// tests in the background has them ignore it.
    private static let takeInterruptions: Void = {
      for number in [SIGINT, SIGQUIT, SIGHUP] { _ = Foundation.signal(number, SIG_DFL) }
    }()

    /// Runs `body` with no signal blocked.
    ///
    /// A child inherits the mask of the thread that makes it, and the threads of a test runner
    /// block signals, Ctrl-C too.
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

    /// Does something to what the program works on while it stands still, so that it finds all of
    /// it done, and not one file of a folder gone.
    func whileStopped(_ act: () throws -> Void) throws {
      signal(SIGSTOP)
      defer { signal(SIGCONT) }
      #expect(comesTrue { isStopped }, "It stands still.")
      try act()
    }

    /// Whether each of its threads has stopped; one may still be in a call when the others have.
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

    /// What it has printed so far.
    var outputSoFar: String {
      String(decoding: (try? Data(contentsOf: outputFile)) ?? Data(), as: UTF8.self)
    }

    /// What it has said on standard error so far.
    var errorsSoFar: String {
      String(decoding: (try? Data(contentsOf: errorFile)) ?? Data(), as: UTF8.self)
    }

    /// Waits until it has said `text` on standard error; false if it never does.
    func waitForError(_ text: String) -> Bool { comesTrue { errorsSoFar.contains(text) } }

    /// Waits until it has printed `text`; false if it ends without.
    func waitFor(_ text: String) -> Bool {
      comesTrue { outputSoFar.contains(text) || !process.isRunning } && outputSoFar.contains(text)
    }

    /// Waits, but not longer than `seconds`; who takes longer hangs, and is killed.
    func wait(seconds: Double = Patience.seconds) throws -> Outcome {
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
    seconds: Double = Patience.seconds
  ) throws -> Outcome {
    try start(arguments, input: input, in: folder).wait(seconds: seconds)
  }
}

/// Runs `aacorn` in a folder.
func aacorn(
  _ arguments: String..., input: String? = nil, in folder: WorkFolder
) throws -> Program.Outcome {
  try Program.aacorn.get().run(arguments, input: input, in: folder)
}
