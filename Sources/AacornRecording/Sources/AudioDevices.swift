public import AacornDevices
import AacornSystem

/// The inputs of this computer, for apps with a choice of devices.
///
///     for device in try await AudioDevices.inputs() { print(device.name, device.id) }
///
/// Both functions query the sound system on a separate thread, because it may take seconds to
/// respond.
public enum AudioDevices {
  /// Returns the inputs of the first sound system that works, the default input first.
  ///
  /// - Parameter includesMonitors: Whether monitors of outputs are included.
  /// - Returns: The devices.
  /// - Throws: The reason why no sound system can be used.
  public static func inputs(
    includesMonitors: Bool = false
  ) async throws(DeviceError) -> [Device] {
    try await ThreadBridge.value(
      of: { list(includesMonitors) }, withoutThread: .failure(.noThread(to: "list"))
    ).get()
  }

  /// Returns a stream that yields the inputs immediately, and again after every change; an empty
  /// list while no sound system works.
  public static func changes(includesMonitors: Bool = false) -> AsyncStream<[Device]> {
    changes(includesMonitors: includesMonitors, among: DeviceSystems.all)
  }

  /// Returns the stream of the inputs of the first of `systems` that works.
  package static func changes(
    includesMonitors: Bool = false, among systems: [any DeviceSystem.Type]
  ) -> AsyncStream<[Device]> {
    let (stream, continuation) = AsyncStream<[Device]>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let isFinished = Lock(false)
    let wake = Semaphore()
    continuation.onTermination = { _ in
      isFinished.withLock { $0 = true }
      wake.signal()
    }
    let hasThread = System.startThread("device changes") {
      var watcher = DeviceWatcher(systems, .preferred) { wake.signal() }
      var last: [Device]?
      while !isFinished.withLock({ $0 }) {
        if let listings = watcher.refresh() {
          let devices = ((try? listings.preferred().devices) ?? []).filter {
            includesMonitors || !$0.isMonitor
          }
          if devices != last { continuation.yield(devices) }
          last = devices
        }
        _ = wake.wait(milliseconds: watcher.pause)
      }
    }
    if !hasThread { continuation.finish() }
    return stream
  }

  private static func list(_ includesMonitors: Bool) -> Result<[Device], DeviceError> {
    Result { () throws(DeviceError) in
      try DeviceSystems.preferredDevices(for: .capture).devices
        .filter { includesMonitors || !$0.isMonitor }
    }
  }
}
