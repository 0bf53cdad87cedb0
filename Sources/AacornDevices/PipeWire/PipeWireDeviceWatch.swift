#if os(Linux)
import AacornSystem

/// Reports changes to the list of devices until this object is released.
final class PipeWireDeviceWatch: Sendable {
  /// The state shared by the watching thread and its owner; the thread must not retain the owner.
  private final class Shared: Sendable {
    let wake = Semaphore()
    let isEnding = Atomic<Bool>(false)
  }

  private let shared = Shared()
  private let thread: WorkerThread

  /// Starts watching; nil on failure.
  init?(
    remote: String?, _ library: PipeWireLibrary, _ change: @escaping @Sendable () -> Void
  ) {
    let shared = shared
    guard let thread = WorkerThread({ Self.run(shared, remote, library, change) })
    else { return nil }
    self.thread = thread
  }

  deinit {
    shared.isEnding.store(true, ordering: .releasing)
    shared.wake.signal()
    thread.join(milliseconds: 900)
  }

  private static func run(
    _ shared: Shared, _ remote: String?, _ library: PipeWireLibrary, _ change: @Sendable () -> Void
  ) {
    var isEnding: Bool { shared.isEnding.load(ordering: .acquiring) }
    guard let connection = try? PipeWireConnection(library, wake: shared.wake) else { return }
    defer { connection.close() }
    var known: [Device]?
    var isConnected = false
    while !isEnding {
      if !isConnected {
        isConnected =
          (try? connection.connect(
            to: remote, applicationName: "Aacorn", unless: { isEnding })) != nil
      }
      let graph = connection.graph
      let devices = isConnected ? graph.devices : []
      if let known, known != devices, !isEnding { change() }
      known = devices
      if graph.failure != nil && isConnected {
        connection.disconnect()
        isConnected = false
      }
      _ = shared.wake.wait(milliseconds: isConnected ? 60_000 : 1000)
    }
  }
}
#endif
