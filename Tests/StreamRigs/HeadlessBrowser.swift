package import Foundation
import SoundRigs

/// A headless Chromium that opens a page.
///
/// The browser uses a new profile in its own folder. Pages report their results with `fetch`.
package final class HeadlessBrowser {
  /// The folder with the profile and the log.
  package let folder: URL
  private var browser: KeptProgram?

  /// Opens a page, which may play audio without a click.
  package init(_ address: String) throws {
    folder = try makeRigFolder(for: "chromium")
    try start(address)
  }

  deinit { stop() }

  package var log: String { folder.text(of: "log") }

  private func start(_ address: String) throws {
    let command = [
      try findProgram("chromium", package: "chromium"), "--headless=new",
      // Chromium's sandbox does not run as root, and the only page is the test's own.
      "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-extensions", "--no-proxy-server", "--mute-audio", "--enable-logging=stderr",
      "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(folder.path)/profile",
      address,
    ]
    let environment = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
    browser = try KeptProgram(command, environment: environment, log: folder.path + "/log")
  }

  package func stop() {
    browser?.end()
    browser = nil
    let deadline = Date() + 5
    // A process that is being killed may still create a file.
    while Date() < deadline, FileManager.default.fileExists(atPath: folder.path) {
      if (try? FileManager.default.removeItem(at: folder)) == nil { usleep(20_000) }
    }
  }
}
