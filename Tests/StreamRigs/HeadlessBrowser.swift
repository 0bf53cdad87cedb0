import Foundation
package import SoundRigs

/// A headless Chromium that opens a page.
///
/// The browser uses a new profile in its own folder. Pages report their results with `fetch`.
package final class HeadlessBrowser: RigServer {
  /// Opens a page, which may play audio without a click.
  package init(_ address: String) throws {
    try super.init(named: "chromium")
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
    _ = try launch(command, environment: environment) { true }
  }
}
