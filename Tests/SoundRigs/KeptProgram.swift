public import Foundation

/// A program that runs until it is ended, and never longer than the test's process.
///
/// A shell monitors both. It kills the program and its children when the test's process has ended
/// for any reason. A pipe as a lifeline would not work, because other children may inherit its
/// other end. The shell cannot use `wait` either: tests run on threads that block signals, and with
/// a blocked SIGCHLD `wait` never returns.
public final class KeptProgram {
  /// The process, the first of its group.
  public let number: pid_t
  private let process = Process()

  /// Starts a program.
  ///
  /// `command` begins with its path; the output goes to the file `log`.
  public init(_ command: [String], environment: [String: String], log: String) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // A program that has ended is a zombie until its status is read.
    let script = """
      { while kill -0 $PPID && grep -qs '^State:.[^Z]' /proc/$$/status; do sleep 0.5; done
        kill -9 -$$; } </dev/null >/dev/null 2>&1 &
      exec "$@" </dev/null >>"$LOG" 2>&1
      """
    process.arguments = ["-c", script, "sh"] + command
    process.environment = environment.merging(["LOG": log]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The program replaces the shell, and Foundation gives every process its own group.
    number = process.processIdentifier
  }

  deinit { end() }

  /// Whether the program has not ended by itself; the value is up to half a second late.
  public var isRunning: Bool { process.isRunning }

  /// Sends a signal to the program, but not to its children.
  public func signal(_ signal: Int32) { _ = kill(number, signal) }

  /// Kills the program and all its children, and waits for their end.
  public func end() {
    guard process.isRunning else { return }
    _ = kill(-number, SIGKILL)
    _ = eventually { !process.isRunning }
  }
}

/// A missing requirement of a test, or the failure of a program, as a message with the remedy.
struct RigFailure: Error, CustomStringConvertible {
  let description: String
}

/// The programs of a sound server.
struct RigPrograms {
  /// The folders of the programs, separated by colons.
  let searchPath: String
  /// The Debian packages of programs.
  let packages: [String: String]

  /// Returns the path of a program.
  func find(_ program: String) throws -> String {
    for folder in searchPath.split(separator: ":") {
      let path = "\(folder)/\(program)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw RigFailure(
      description: "\(program) is not installed. "
        + "On Debian it is in the package \(packages[program] ?? program).")
  }

  /// Runs a program to its end, and returns its output.
  ///
  /// Ends it on timeout. The output is in a temporary file of `folder`.
  func run(
    _ program: String, _ arguments: [String], environment: [String: String], folder: String
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try find(program))
    process.arguments = arguments
    process.environment = environment
    let path = "\(folder)/\(UUID().uuidString).out"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? output.close() }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let call = "\(program) \(arguments.joined(separator: " "))"
    guard eventually({ !process.isRunning }) else {
      _ = kill(process.processIdentifier, SIGKILL)
      throw RigFailure(description: "“\(call)” did not end.")
    }
    let text = String(
      decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw RigFailure(description: "“\(call)” failed: \(text)")
    }
    return text
  }
}
