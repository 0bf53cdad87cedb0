import AacornSystem
import AacornWeb

/// The work of an upload's thread: one request after the other, and the same again if it fails.
struct HLSUploadSession {
  private let work: HLSUploadWork
  private var upload: HTTPUpload
  private var backOff: BackOff
  /// What the server has ever confirmed.
  private var confirmed: Set<HLSUploadQueue.Step.Kind> = []
  /// How often in a row the server has refused a segment for what it is.
  private var refusals = (name: "", count: 0)
  /// How often in a row the server has not removed a file.
  private var removalRefusalCount = 0

  /// Names of segments are never used again.
  private static let mediaCaching = "public, max-age=31536000, immutable"

  /// Statuses that are about what was sent, and not about who may send it where.
  private static let refusalsOfContents: Set = [400, 413, 414, 415, 422]
  /// How many refusals in a row are believed.
  private static let refusalLimit = 3

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
        work.confirm(step, isReconnection: !confirmed.isEmpty && backOff.attemptCount > 0)
        confirmed.insert(step.kind)
        if step.kind == .removal { removalRefusalCount = 0 }
        // Every confirmed file counts: the next failure is another one.
        backOff.reset()
      } catch {
        if case .removal(let name) = step {
          endRemoval(of: name, error)
          continue
        }
        work.retry(after: error)
        if work.signal.isRaised { break }
        if case .file(let name, _) = step, isHopeless(name) {
          work.giveUp(name)
          continue
        }
        let reason = work.options.end(
          after: error, attemptCount: backOff.attemptCount,
          wasLive: confirmed.contains(step.kind))
        if let reason { return work.fail(reason) }
        let delay = backOff.next()
        work.change(to: .reconnecting(error, attempt: backOff.attemptCount))
        if work.signal.wait(milliseconds: delay) { break }
      }
    }
    work.conclude()
  }

  /// Whether the server takes other segments, but not this one, however often it is asked.
  private mutating func isHopeless(_ name: String) -> Bool {
    let isRefused = upload.status.map { Self.refusalsOfContents.contains($0) } ?? false
    guard isRefused, confirmed.contains(.segment), !HLSNames.isInitialization(name) else {
      refusals.count = 0
      return false
    }
    refusals = (name, refusals.name == name ? refusals.count + 1 : 1)
    return refusals.count == Self.refusalLimit
  }

  /// Removals disturb nothing: the stream goes on without them.
  private mutating func endRemoval(of name: String, _ error: NetworkError) {
    let isAnswered = upload.status != nil
    if isAnswered { removalRefusalCount += 1 }
    if isAnswered, error.isPermanent || removalRefusalCount == Self.refusalLimit {
      work.stopRemoving(because: error)
    } else {
      work.postponeRemoval(of: name, isAnswered: isAnswered)
    }
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
