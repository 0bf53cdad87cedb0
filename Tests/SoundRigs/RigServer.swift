public import Foundation

/// A server of a test, with its files in its own folder.
///
/// It ends with this object or with the test's process.
open class RigServer {
  /// The folder with the configuration, the logs and the other files of the server.
  public let folder: URL
  private var program: KeptProgram?

  /// Creates the folder.
  ///
  /// Subclasses then write the configuration and start the server.
  public init(named name: String, mode: Int = 0o700) throws {
    folder = try makeRigFolder(for: name, mode: mode)
  }

  deinit { stop() }

  /// The output of the program.
  open var log: String { folder.text(of: "output") }

  /// Starts the program, and waits until it is ready; returns false if it ends before that.
  public final func launch(
    _ command: [String], environment: [String: String], until isReady: () -> Bool
  ) throws -> Bool {
    let program = try KeptProgram(
      command, environment: environment, log: folder.path + "/output")
    self.program = program
    var isStarted = false
    _ = eventually {
      isStarted = isReady()
      return isStarted || !program.isRunning
    }
    return isStarted
  }

  /// Kills the server, as in a crash.
  public final func kill() {
    program?.end()
    program = nil
  }

  /// Ends the server and deletes its folder.
  public final func stop() {
    kill()
    let deadline = Date() + 5
    // A process that is being killed may still create a file.
    while Date() < deadline, FileManager.default.fileExists(atPath: folder.path) {
      if (try? FileManager.default.removeItem(at: folder)) == nil { usleep(20_000) }
    }
  }
}
