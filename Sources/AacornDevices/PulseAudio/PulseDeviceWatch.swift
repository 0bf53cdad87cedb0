#if os(Linux)
import AacornSystem

/// Watches for added and removed devices, on its own thread, until it is released.
final class PulseDeviceWatch: Sendable {
  private let loop: PulseLoop
  private let thread: WorkerThread

  /// Starts watching; nil if the system has no threads left.
  init?(_ loop: PulseLoop, server: String?, _ change: @escaping @Sendable () -> Void) {
    self.loop = loop
    guard let thread = WorkerThread({ Self.run(loop, server: server, change) }) else { return nil }
    self.thread = thread
  }

  deinit {
    loop.requestEnd()
    // `change` may have released this object on the watching thread itself.
    thread.join(milliseconds: 500)
  }

  private static func run(
    _ loop: PulseLoop, server: String?, _ change: @Sendable () -> Void
  ) {
    while !loop.isEnding {
      watch(loop, server: server, change)
      let next = System.nanoseconds + 1_000_000_000
      while !loop.isEnding && System.nanoseconds < next { loop.turn(until: next) }
    }
  }

  /// Watches until the server becomes unavailable.
  private static func watch(
    _ loop: PulseLoop, server: String?, _ change: @Sendable () -> Void
  ) {
    let deadline = System.nanoseconds + 5_000_000_000
    guard
      let connection = try? PulseConnection(
        loop, applicationName: "Aacorn", server: server, mayStartServer: false, until: deadline)
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
      if loop.isEnding { return }
      loop.turn(until: System.nanoseconds + 60_000_000_000)
    }
    if !loop.isEnding { change() }
  }
}
#endif
