#if os(Linux)
import AacornSystem

/// The thread that opens a stream, watches it and reopens it when the device or the server returns.
final class PipeWireWorker: DeviceRun {
  static let openTimeout: Int64 = 15_000_000_000
  // This code never waits for the server, but the library may hang nevertheless.
  let endTimeout = 900

  /// The path of the server's socket; nil for the default server.
  let remote: String?
  let library: PipeWireLibrary
  let status = DeviceStatus()
  let gate = DeviceGate()
  /// Wakes the thread.
  let wake = Semaphore()
  private let stopping = Atomic<Bool>(false)

  init(remote: String?, _ library: PipeWireLibrary) {
    self.remote = remote
    self.library = library
  }

  var noThreadError: DeviceError {
    .system(operation: "start", id: "PipeWire", reason: "the system has no threads left")
  }

  var timeoutError: DeviceError { .noServer(backend: .pipeWire, reason: "it does not answer") }

  /// Whether the thread should end.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Requests the thread to end.
  func requestEnd() {
    stopping.store(true, ordering: .releasing)
    wake.signal()
  }

  /// Runs for the thread's entire life.
  func run(_ use: any PipeWireUse) {
    let watch = PipeWireWatch(use, self)
    do throws(DeviceError) {
      try watch.open()
      status.finishOpening(nil)
      watch.run()
    } catch {
      status.finishOpening(error)
    }
    watch.close()
  }
}
#endif
