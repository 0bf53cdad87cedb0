#if os(Linux)
import AacornSystem

/// The thread that has a device open, from `start` to `stop`, and then perhaps another one.
///
/// A separate thread opens, moves and closes everything, since any library call may hang if there
/// is a sound server behind it. ``stop()`` abandons a hanging thread; nothing it does later gets
/// through its session.
final class ALSAWork: Sendable {
  private struct Run {
    let session: ALSASession
    var isRunning = true
  }

  /// The device's name.
  let id: String
  private let isDefault: Bool
  /// The current run, or the last one.
  private let run = Lock<Run?>(nil)

  /// How long a device may take to open.
  private static let openingTime: Int64 = 10_000_000_000
  /// How long the thread may take to end.
  private static let endingTime: Int64 = 900_000_000

  /// The work with a device, or with the default one if `pinnedID` is nil.
  init(pinnedID: String?) {
    id = pinnedID ?? "default"
    isDefault = pinnedID == nil
  }

  /// What the thread reports about itself.
  var report: ALSASession.Report? {
    let session = run.withLock { $0?.session }
    return session?.report.withLock { $0 }
  }

  /// Has `body` run on a thread and waits until it has opened the device; throws if it cannot, or if
  /// one is running.
  func start(
    _ body: @escaping @Sendable (ALSASession, ALSALibrary) -> Void
  ) throws(CaptureError) {
    let library = try ALSALibrary()
    guard let session = ALSASession() else {
      throw .system(operation: "open", id: id, reason: "there are too many open files")
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
      throw .system(operation: "open", id: id, reason: "there are too many threads")
    }
    let isOpened = session.opened.wait(until: System.nanoseconds + Self.openingTime)
    let report = session.report.withLock { $0 }
    if isOpened && report.refusal == nil && report.device != nil { return }
    stop()
    switch report.refusal {
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
    session.shut()
    session.opened.signal()
  }
}
#endif
