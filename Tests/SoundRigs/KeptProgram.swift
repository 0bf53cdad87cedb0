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
