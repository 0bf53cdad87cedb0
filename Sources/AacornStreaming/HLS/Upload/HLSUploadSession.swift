import AacornNetwork

/// The work of the upload thread: it sends one request at a time, and repeats a failed one.
struct HLSUploadSession {
  private let work: HLSUploadWork
  private var upload: HTTPUpload
  private var backOff: BackOff
  /// The kinds of requests that the server has confirmed at least once.
  private var confirmed: Set<HLSUploadQueue.Step.Kind> = []
  /// The kinds of requests that have failed since the server last confirmed one of that kind.
  private var failing: Set<HLSUploadQueue.Step.Kind> = []
  /// The segment whose contents the server rejected last, and the number of consecutive rejections.
  private var rejections = (name: "", count: 0)
  /// The number of rejected removals since the last confirmed one.
  private var removalRejectionCount = 0

  /// The names of segments are never reused, so caches may keep them.
  private static let mediaCaching = "public, max-age=31536000, immutable"

  /// The statuses that reject the contents of a request, rather than the permission to send it.
  private static let contentRejectionStatuses: Set = [400, 413, 414, 415, 422]
  /// The number of consecutive rejections after which a request is given up.
  private static let rejectionLimit = 3

  init(_ work: HLSUploadWork) {
    self.work = work
    let transport = MeteredTransport(
      work.transports(work.signal), to: work.configuration.address,
      stallTimeout: work.options.stallTimeout
    ) { work.count($0) }
    upload = HTTPUpload(
      work.configuration, over: transport, connectTimeout: work.options.connectTimeout)
    backOff = work.options.makeBackOff(longest: work.maxRetryDelay)
  }

  /// Runs until the requested end, or an error that retrying cannot fix.
  mutating func run() {
    defer { upload.close() }
    work.change(to: .connecting)
    while let step = work.nextStep() {
      do throws(NetworkError) {
        try perform(step)
        let isRetry = !confirmed.isEmpty && backOff.attemptCount > 0
        confirmed.insert(step.kind)
        failing.remove(step.kind)
        // A server that rejects every playlist may confirm segments between the attempts.
        let isRecovered = failing.isEmpty
        work.confirm(
          step, isReconnection: isRecovered && isRetry,
          isLive: isRecovered && (confirmed.contains(.playlist) || work.isOnDemand))
        if step.kind == .removal { removalRejectionCount = 0 }
        // The next failure starts with the shortest delay.
        if isRecovered { backOff.reset() }
      } catch {
        if case .removal(let name) = step {
          endRemoval(of: name, error)
          continue
        }
        work.retry(after: error)
        if work.signal.isRaised { break }
        if case .file(let name, _) = step, shouldSkip(name) {
          work.giveUp(name)
          failing.remove(.segment)
          continue
        }
        failing.insert(step.kind)
        let reason = work.options.end(
          after: error, attemptCount: backOff.attemptCount,
          wasLive: confirmed.contains(step.kind))
        if let reason { return work.fail(reason) }
        let delay = backOff.next()
        work.change(to: .reconnecting(error, attempt: backOff.attemptCount))
        if work.signal.wait(milliseconds: delay) { break }
      }
    }
    work.enterFinalState()
  }

  /// Returns whether the server accepts other segments, but has repeatedly rejected this one.
  private mutating func shouldSkip(_ name: String) -> Bool {
    let isRefused = upload.status.map { Self.contentRejectionStatuses.contains($0) } ?? false
    guard isRefused, confirmed.contains(.segment), !HLSNames.isInitialization(name) else {
      rejections.count = 0
      return false
    }
    rejections = (name, rejections.name == name ? rejections.count + 1 : 1)
    return rejections.count == Self.rejectionLimit
  }

  /// Postpones the removal after an error, or stops all removals.
  ///
  /// The stream itself continues.
  private mutating func endRemoval(of name: String, _ error: NetworkError) {
    let isAnswered = upload.status != nil
    if isAnswered { removalRejectionCount += 1 }
    if isAnswered, error.isPermanent || removalRejectionCount == Self.rejectionLimit {
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
