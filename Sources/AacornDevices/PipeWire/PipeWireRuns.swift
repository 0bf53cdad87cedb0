#if os(Linux)
import AacornSystem

/// The consecutive runs of a source or target, each with its own worker, and their state.
final class PipeWireRuns: Sendable {
  /// The state of the source or target, as reported by the watching thread.
  struct Status: Sendable {
    var device: Device?
    var diagnostics: [String] = []
  }

  /// The path of the server's socket; nil for the default server.
  let remote: String?
  let library: PipeWireLibrary
  let status = Lock(Status())
  /// The worker of the current run, from `start` to `stop`.
  private let work = Lock<PipeWireWorker?>(nil)

  init(remote: String?, _ library: PipeWireLibrary) {
    self.remote = remote
    self.library = library
  }

  /// Starts a run and waits until its stream is open; throws `alreadyRunning` with this id.
  ///
  /// `makeUse` is called on the worker's thread.
  func start(
    _ id: String, _ makeUse: @escaping @Sendable (PipeWireWorker) -> any PipeWireUse
  ) throws(CaptureError) {
    let work = PipeWireWorker(remote: remote, library)
    let isFirst = self.work.withLock { present in
      if present != nil { return false }
      present = work
      return true
    }
    guard isFirst else { throw .alreadyRunning(id: id) }
    do throws(CaptureError) {
      try work.start { makeUse(work) }
    } catch {
      self.work.withLock { if $0 === work { $0 = nil } }
      throw error
    }
  }

  /// Ends the run, if there is one.
  func stop() {
    let present = work.withLock { work in
      defer { work = nil }
      return work
    }
    present?.stop()
  }
}
#endif
