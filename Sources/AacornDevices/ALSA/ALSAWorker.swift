#if os(Linux)
import AacornSystem

/// The thread that keeps a device open from `start` to `stop`; each run uses a new thread.
///
/// All calls are made on this separate thread, since any library call may hang if a sound server
/// implements the device. ``stop()`` abandons a hanging thread and closes its gate.
final class ALSAWorker: Sendable {
  private struct Run {
    let session: ALSASession
    var isRunning = true
  }

  /// The device's name.
  let id: String
  private let isDefault: Bool
  /// The library to use; nil for alsa-lib.
  private let library: ALSALibrary?
  /// The current run, or the last one.
  private let run = Lock<Run?>(nil)

  /// The maximum time to open a device, in nanoseconds.
  private static let openingTime: Int64 = 10_000_000_000
  /// The maximum time for the thread to end, in nanoseconds.
  private static let endingTime: Int64 = 900_000_000

  /// Creates the worker for a device, or for the default device if `pinnedID` is nil.
  init(pinnedID: String?, library: ALSALibrary?) {
    id = pinnedID ?? "default"
    isDefault = pinnedID == nil
    self.library = library
  }

  /// The state that the thread reports; nil before the first run.
  var report: ALSASession.Report? {
    let session = run.withLock { $0?.session }
    return session?.report.withLock { $0 }
  }

  /// Runs `body` on a thread and waits until it has opened the device.
  ///
  /// Throws if the device cannot be opened, or if a run is active.
  func start(
    _ body: @escaping @Sendable (ALSASession, ALSALibrary) -> Void
  ) throws(CaptureError) {
    let library = if let library { library } else { try ALSALibrary() }
    guard let session = ALSASession() else {
      throw .system(operation: "open", id: id, reason: "too many files are open")
    }
    let isFirst = run.withLock { run in
      if run?.isRunning == true { return false }
      run = Run(session: session)
      return true
    }
    guard isFirst else { throw .alreadyRunning(id: id) }
    let isStarted = System.startThread {
      body(session, library)
      session.ended.signal()
    }
    guard isStarted else {
      run.withLock { $0 = nil }
      throw .system(operation: "open", id: id, reason: "the system has no threads left")
    }
    let isOpened = session.opened.wait(until: System.nanoseconds + Self.openingTime)
    let report = session.report.withLock { $0 }
    if isOpened && report.openingError == nil && report.device != nil { return }
    stop()
    switch report.openingError {
    case .unknownDevice? where isDefault: throw .noDevice(backend: .alsa)
    case let refusal?: throw refusal
    case nil: throw .system(operation: "open", id: id, reason: "it does not answer")
    }
  }

  /// Ends the thread, within a second even if the library hangs.
  func stop() {
    let session = run.withLock { run -> ALSASession? in
      guard run?.isRunning == true else { return nil }
      run?.isRunning = false
      return run?.session
    }
    guard let session else { return }
    session.requestEnd()
    _ = session.ended.wait(until: System.nanoseconds + Self.endingTime)
    session.gate.close()
    session.opened.signal()
  }
}
#endif
