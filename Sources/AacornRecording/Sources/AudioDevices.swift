public import AacornDevices
import AacornSystem

/// The inputs of this machine, for apps that let a person choose.
///
///     for device in try await AudioDevices.inputs() { print(device.name, device.id) }
///
/// Both functions ask the sound system on a thread of their own, because it may take seconds to
/// answer.
public enum AudioDevices {
  /// The inputs of the first sound system that works, the default one first.
  ///
  /// - Parameter includesMonitors: Whether what is being played counts as an input too.
  /// - Returns: The devices.
  /// - Throws: Why no sound system can be used.
  public static func inputs(
    includesMonitors: Bool = false
  ) async throws(CaptureError) -> [CaptureDevice] {
    let result = await withCheckedContinuation { continuation in
      let hasThread = System.startThread {
        continuation.resume(returning: list(includesMonitors))
      }
      if !hasThread { continuation.resume(returning: .failure(noThread)) }
    }
    return try result.get()
  }

  /// The inputs now, and again after every change; an empty list while no sound system works.
  public static func changes(includesMonitors: Bool = false) -> AsyncStream<[CaptureDevice]> {
    let (stream, continuation) = AsyncStream<[CaptureDevice]>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let isOver = Lock(false)
    let wake = Semaphore()
    continuation.onTermination = { _ in
      isOver.withLock { $0 = true }
      wake.signal()
    }
    let hasThread = System.startThread {
      let watchers = CaptureSystems.all.map { $0.watchDevices { wake.signal() } }
      var last: [CaptureDevice]?
      while !isOver.withLock({ $0 }) {
        let devices = (try? list(includesMonitors).get()) ?? []
        if devices != last { continuation.yield(devices) }
        last = devices
        // Some systems cannot report changes, and a watcher may lose its server.
        _ = wake.wait(milliseconds: 1000)
      }
      withExtendedLifetime(watchers) {}
    }
    if !hasThread { continuation.finish() }
    return stream
  }

  private static let noThread = CaptureError.system(
    operation: "list", id: "", reason: "the system has no threads left")

  private static func list(_ includesMonitors: Bool) -> Result<[CaptureDevice], CaptureError> {
    do throws(CaptureError) {
      let devices = try CaptureSystems.preferredDevices().devices
      return .success(devices.filter { includesMonitors || !$0.isMonitor })
    } catch {
      return .failure(error)
    }
  }
}
