public import Foundation

/// A program that runs until it is ended, and never longer than the test's process.
///
/// A shell of its own watches over both and kills the program when the test's process is gone,
/// however that came about. A pipe as a lifeline would not do: other children may inherit its other
/// end.
public final class KeptProgram {
  /// Why there is no such program; a sentence.
  public struct Failure: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
  }

  /// The process, or the first of its group.
  public let number: pid_t
  private let isGroup: Bool
  private let shell = Process()

  /// Starts a program, whose path comes first in `command` and whose output goes into a file.
  ///
  /// With `leadsGroup` the processes that it starts end with it.
  public init(
    _ command: [String], environment: [String: String], log: String, leadsGroup: Bool = false
  ) throws {
    isGroup = leadsGroup
    let output = Pipe()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let script = """
      \(leadsGroup ? "setsid " : "")"$@" </dev/null >>"$LOG" 2>&1 &
      program=$!
      echo $program
      { while kill -0 $PPID; do sleep 0.5; done; kill -9 \(leadsGroup ? "-" : "")$program; } \\
        </dev/null >/dev/null 2>&1 &
      wait $program 2>/dev/null
      kill $! 2>/dev/null
      """
    shell.arguments = ["-c", script, "sh"] + command
    shell.environment = environment.merging(["LOG": log]) { $1 }
    shell.standardInput = FileHandle.nullDevice
    shell.standardOutput = output
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let number = pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      shell.terminate()
      throw Failure(description: "The shell did not start \(command.first ?? "anything").")
    }
    self.number = number
  }

  deinit { end() }

  /// Whether it has not ended by itself.
  public var isRunning: Bool { shell.isRunning }

  /// Sends it a signal, and nothing to the processes that it has started.
  public func signal(_ signal: Int32) { _ = kill(number, signal) }

  /// Ends it as a crash would, and waits until it is gone.
  public func end() {
    guard shell.isRunning else { return }
    _ = kill(isGroup ? -number : number, SIGKILL)
    let deadline = Date() + 10
    while shell.isRunning && Date() < deadline { usleep(2_000) }
  }
}
