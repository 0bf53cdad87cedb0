#if os(Linux)
import AacornSystem

/// Sound from a device of ALSA: a card, or a plug-in that stands for one.
///
/// The device is opened, read and closed by a thread of the source's own, since any call of the
/// library may hang when there is a sound server behind it. ``stop()`` leaves a thread that hangs
/// to itself; nothing of what it may do later reaches the sink.
public final class ALSASource: CaptureSource {
  private struct Capture {
    let session: ALSASession
    var isRunning = true
  }

  private let request: CaptureRequest
  private let id: String
  private let longestSilence: Int64
  /// The capture that runs, or the last one.
  private let capture = Lock<Capture?>(nil)

  /// How long a device may take to open.
  private static let openingTime: Int64 = 10_000_000_000
  /// How long the thread may take to end.
  private static let endingTime: Int64 = 900_000_000

  /// A source for a request; nothing is opened yet.
  public convenience init(_ request: CaptureRequest) throws(CaptureError) {
    try self.init(request, longestSilence: 5_000_000_000)
  }

  /// The same, with the time after which a device that says nothing is taken for dead.
  package init(_ request: CaptureRequest, longestSilence: Int64) throws(CaptureError) {
    if request.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "ALSA has no echo cancellation; a sound server may")
    }
    self.request = request
    self.longestSilence = longestSilence
    id =
      switch request.device {
      case .followingDefault: "default"
      case .pinned(let id): id
      }
  }

  /// The device in use, or the last one.
  public var device: CaptureDevice? { report?.device }

  /// Always nil, since there is always a chance that the device returns.
  public var failure: CaptureError? { nil }

  /// Always true: a device without a clock is read at the clock's pace.
  public var followsClock: Bool { true }

  /// What is peculiar about the devices that were opened.
  public var remarks: [String] { report?.remarks ?? [] }

  private var report: ALSASession.Report? {
    let session = capture.withLock { $0?.session }
    return session?.report.withLock { $0 }
  }

  /// Opens the device and lets the samples flow; throws if it does not open.
  public func start(_ sink: CaptureSink) throws(CaptureError) {
    if capture.withLock({ $0?.isRunning ?? false }) { return }
    let library = try ALSALibrary()
    guard let session = ALSASession(sink) else {
      throw .system(operation: "open", id: id, reason: "there are too many open files")
    }
    let (request, id, longestSilence) = (request, id, longestSilence)
    capture.withLock { $0 = Capture(session: session) }
    let isStarted = System.startThread {
      ALSACapture(session, request, id, library, longestSilence: longestSilence).run()
      session.ended.signal()
    }
    guard isStarted else {
      capture.withLock { $0 = nil }
      throw .system(operation: "open", id: id, reason: "there are too many threads")
    }
    let isOpened = Self.wait(for: session.opened, within: Self.openingTime)
    let report = session.report.withLock { $0 }
    if isOpened && report.refusal == nil && report.device != nil { return }
    stop()
    switch report.refusal {
    case .unknownDevice? where request.device == .followingDefault:
      throw .noDevice(backend: .alsa)
    case let refusal?: throw refusal
    case nil: throw .system(operation: "open", id: id, reason: "it does not answer")
    }
  }

  /// Ends the flow after what was captured until now; does so within a second even if the library
  /// hangs, but then without the last samples.
  public func stop() {
    let session = capture.withLock { capture -> ALSASession? in
      guard capture?.isRunning == true else { return nil }
      capture?.isRunning = false
      return capture?.session
    }
    guard let session else { return }
    session.requestEnd()
    _ = Self.wait(for: session.ended, within: Self.endingTime)
    session.shut()
    session.opened.signal()
  }

  /// Waits in spite of signals, which break off a wait.
  private static func wait(for semaphore: Semaphore, within time: Int64) -> Bool {
    let end = System.nanoseconds + time
    while true {
      let rest = end - System.nanoseconds
      if semaphore.wait(milliseconds: Int(max(0, rest) / 1_000_000)) { return true }
      if rest <= 0 { return false }
    }
  }
}
#endif
