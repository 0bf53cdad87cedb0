#if os(Linux)
import AacornSystem

extension PulseLoop {
  /// Calls `change` whenever devices are added or removed or a default changes, until the end is
  /// requested.
  func watchDevices(of server: String?, _ change: @Sendable () -> Void) {
    while !isEnding {
      watchUntilLost(server, change)
      let next = System.nanoseconds + 1_000_000_000
      while !isEnding && System.nanoseconds < next { turn(until: next) }
    }
  }

  /// Watches until the server becomes unavailable.
  private func watchUntilLost(_ server: String?, _ change: @Sendable () -> Void) {
    let deadline = System.nanoseconds + 5_000_000_000
    guard
      let connection = try? PulseConnection(
        self, applicationName: "Aacorn", server: server, mayStartServer: false, until: deadline)
    else { return }
    // Changes before the server reports them would be missed.
    var hasChanges = true
    connection.onDeviceChange = { hasChanges = true }
    guard (try? connection.watchDevices(until: deadline)) != nil else { return }
    while connection.isGood {
      // Several changes in a row count as one.
      if hasChanges {
        hasChanges = false
        change()
      }
      if isEnding { return }
      turn(until: System.nanoseconds + 60_000_000_000)
    }
    if !isEnding { change() }
  }
}
#endif
