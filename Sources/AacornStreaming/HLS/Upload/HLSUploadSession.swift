import AacornSystem
import AacornWeb

/// The work of an upload's thread: one request after the other, and the same again if it fails.
struct HLSUploadSession {
  private let work: HLSUploadWork
  private var upload: HTTPUpload
  private var backOff: BackOff
  /// Whether the server has ever confirmed anything.
  private var wasLive = false

  /// Names of segments are never used again.
  private static let mediaCaching = "public, max-age=31536000, immutable"

  init(_ work: HLSUploadWork) {
    self.work = work
    let transport = MeteredTransport(
      work.transports(work.signal), to: work.configuration.address,
      stallTimeout: work.options.stallTimeout
    ) { work.count($0) }
    upload = HTTPUpload(
      work.configuration, over: transport, connectTimeout: work.options.connectTimeout)
    backOff = BackOff(
      first: work.options.firstDelay, longest: work.longestDelay,
      seed: UInt64(bitPattern: System.nanoseconds))
  }

  /// Runs until the requested end, or an error that retrying cannot fix.
  mutating func run() {
    defer { upload.close() }
    work.change(to: .connecting)
    while let step = work.nextStep() {
      do throws(NetworkError) {
        try perform(step)
        work.confirm(step, isReconnection: wasLive && backOff.attemptCount > 0)
        wasLive = true
        // Every confirmed file counts: the next failure is another one.
        backOff.reset()
      } catch {
        work.retry(after: error)
        if case .removal = step, error.isPermanent {
          work.stopRemoving(because: error)
          continue
        }
        if work.signal.isRaised { break }
        let reason = work.options.end(
          after: error, attemptCount: backOff.attemptCount, wasLive: wasLive)
        if let reason { return work.fail(reason) }
        let delay = backOff.next()
        work.change(to: .reconnecting(error, attempt: backOff.attemptCount))
        if work.signal.wait(milliseconds: delay) { break }
      }
    }
    work.conclude()
  }

  private mutating func perform(_ step: HLSUploadQueue.Step) throws(NetworkError) {
    switch step {
    case .file(let name, let bytes):
      try upload.send(.put(bytes, caching: Self.mediaCaching), for: name)
    case .playlist(let name, let text, let caching):
      try upload.send(.put(Array(text.utf8), caching: caching), for: name)
    case .removal(let name): try upload.send(.delete, for: name)
    }
  }
}
