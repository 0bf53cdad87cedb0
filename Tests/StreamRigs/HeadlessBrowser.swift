public import Foundation

/// A Chromium without a window that has a page open.
///
/// It lives with a fresh profile in a folder of its own under a shell that ends it when the test's
/// process ends, however that comes about. Pages tell by `fetch` what became of them.
public final class HeadlessBrowser {
  /// The folder with the profile and the log.
  public let folder: URL
  /// A shell whose only child leads the browser's processes; it kills them when its input ends.
  private var shell: Process?
  private var lifeline: Pipe?
  private var leader: pid_t = 0

  /// Opens a page, which may play sound without being clicked first.
  public init(_ address: String) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("chromium-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      try start(address)
    } catch {
      stop()
      throw error
    }
  }

  deinit { stop() }

  /// What the browser and its pages have complained of so far.
  public var log: String {
    (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
  }

  private func start(_ address: String) throws {
    let shell = Process()
    let lifeline = Pipe()
    let output = Pipe()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The browser is many processes, which are one group because of setsid.
    let script =
      "setsid \"$@\" </dev/null >>\"$LOG\" 2>&1 & echo $!; cat >/dev/null; kill -9 -$! 2>/dev/null"
    shell.arguments = [
      "-c", script, "sh", try findProgram("chromium", package: "chromium"), "--headless=new",
      // Root may not have the sandbox, and the only page is the test's own.
      "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-extensions", "--no-proxy-server", "--mute-audio", "--enable-logging=stderr",
      "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(folder.path)/profile",
      address,
    ]
    shell.environment = [
      "LOG": folder.path + "/log", "HOME": folder.path, "PATH": "/usr/bin:/bin",
      "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
    shell.standardInput = lifeline
    shell.standardOutput = output
    try shell.run()
    self.shell = shell
    self.lifeline = lifeline
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    leader = pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    guard leader > 0 else { throw RigFailure("The shell started no browser.") }
  }

  /// Ends the browser and takes its folder away.
  public func stop() {
    if leader > 0 { _ = Foundation.kill(-leader, SIGKILL) }
    try? lifeline?.fileHandleForWriting.close()
    let deadline = Date() + 5
    while let shell, shell.isRunning, Date() < deadline { usleep(5_000) }
    shell = nil
    lifeline = nil
    leader = 0
    // A process that is just being killed may still make a file.
    while Date() < deadline, FileManager.default.fileExists(atPath: folder.path) {
      if (try? FileManager.default.removeItem(at: folder)) == nil { usleep(20_000) }
    }
  }
}
