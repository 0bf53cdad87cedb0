#if os(Linux)
import AacornSystem

/// Captures from an ALSA device: a card, or a plug-in that stands for one.
///
/// A separate thread opens, reads and closes the device, since any library call may hang if there
/// is a sound server behind it. ``stop()`` abandons a hanging thread; nothing it does later reaches
/// the sink.
public final class ALSASource: CaptureSource {
  private struct Capture {
    let session: ALSASession
    var isRunning = true
  }

  private let request: CaptureRequest
  private let id: String
  private let longestSilence: Int64
  /// The current capture, or the last one.
  private let capture = Lock<Capture?>(nil)

  /// How long a device may take to open.
  private static let openingTime: Int64 = 10_000_000_000
  /// How long the thread may take to end.
  private static let endingTime: Int64 = 900_000_000

  /// Creates a source for a request without opening anything.
  public convenience init(_ request: CaptureRequest) throws(CaptureError) {
    try self.init(request, longestSilence: 5_000_000_000)
  }

  /// Creates a source with the time after which a silent device is considered dead.
  package init(_ request: CaptureRequest, longestSilence: Int64) throws(CaptureError) {
    if request.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "ALSA has no echo cancellation; a sound server may have it")
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

  /// Always nil, since the device may always return.
  public var failure: CaptureError? { nil }

  /// Always true: a device without a clock is read in real time.
  public var followsClock: Bool { true }

  /// Peculiarities of the devices that were opened.
  public var remarks: [String] { report?.remarks ?? [] }

  private var report: ALSASession.Report? {
    let session = capture.withLock { $0?.session }
    return session?.report.withLock { $0 }
  }

  /// Opens the device and starts capturing; throws if it cannot be opened.
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

  /// Ends the capture after what was captured until now, within a second even if the library hangs,
  /// but then without the last samples.
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

  /// Waits despite signals, which interrupt a wait.
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
