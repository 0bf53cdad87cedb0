public import Foundation

/// A program that runs until it is ended, and never longer than the test's process.
///
/// A shell looks after both and kills the program and its children when the test's process is gone,
/// however that came about. A pipe as a lifeline would not do: other children may inherit its other
/// end. Nor may the shell wait for the program: tests run on threads that block signals, and with a
/// blocked SIGCHLD `wait` never returns.
public final class KeptProgram {
  /// The process, the first of its group.
  public let number: pid_t
  private let process = Process()

  /// Starts a program, whose path comes first in `command` and whose output goes into a file.
  public init(_ command: [String], environment: [String: String], log: String) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // A program that has ended is a zombie until it is asked after.
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
    // The program takes the shell's place, and Foundation gives every process a group of its own.
    number = process.processIdentifier
  }

  deinit { end() }

  /// Whether it has not ended by itself; told up to half a second late.
  public var isRunning: Bool { process.isRunning }

  /// Sends it a signal, and nothing to the processes that it has started.
  public func signal(_ signal: Int32) { _ = kill(number, signal) }

  /// Ends it and all that it has started as a crash would, and waits until they are gone.
  public func end() {
    guard process.isRunning else { return }
    _ = kill(-number, SIGKILL)
    let deadline = Date() + Patience.seconds
    while process.isRunning && Date() < deadline { usleep(2_000) }
  }
}
