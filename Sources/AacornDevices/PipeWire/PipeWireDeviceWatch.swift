#if os(Linux)
import AacornSystem

extension PipeWireWorker {
  /// Calls `change` whenever devices or the default change, until the end is requested.
  func watchDevices(_ change: @Sendable () -> Void) {
    guard let connection = try? PipeWireConnection(library, wake: wake) else { return }
    defer { connection.close() }
    var known: [Device]?
    var isConnected = false
    while !isStopping {
      if !isConnected {
        isConnected =
          (try? connection.connect(
            to: remote, applicationName: "Aacorn", unless: { isStopping })) != nil
      }
      let graph = connection.graph
      let devices = isConnected ? graph.devices(for: .capture) : []
      if let known, known != devices, !isStopping { change() }
      known = devices
      if graph.failure != nil && isConnected {
        connection.disconnect()
        isConnected = false
      }
      _ = wake.wait(milliseconds: isConnected ? 60_000 : 1000)
    }
  }
}
#endif
