import AacornNetwork
import AacornRecording
import AacornSystem

/// The shared state of an upload.
///
/// The output side never waits; the thread side sends requests to the server.
final class HLSUploadWork: Sendable {
  let configuration: HLSUploadConfiguration
  let options: LiveOptions
  let transports: TransportFactory
  let signal = StopSignal()
  private let states: @Sendable (LiveState) -> Void
  private let wake = Semaphore()
  private let ended = StopSignal()
  private let content: Lock<Content>

  /// The time that the thread has to react to the stop signal.
  private static let leaveMilliseconds = 1000
  /// The maximum time between two checks for a request to send.
  private static let idleMilliseconds = 500

  private struct Content {
    var status = LiveStatus()
    var queue: HLSUploadQueue
    var segmentDuration = HLSConfiguration().segmentDuration
    /// Whether the only playlists are those at the end.
    var isOnDemand = false
    var isStarted = false
    /// Whether the output has ended, so that nothing will be added.
    var isEnding = false
    /// The error of the last request; nil if it succeeded.
    var lastError: NetworkError?
    /// Whether the last request failed before any byte was sent.
    var isUnreached = false
    /// Whether a byte of the current request has been sent.
    var hasSent = false
    /// The number of files and playlists that the server has confirmed.
    var confirmationCount = 0
  }

  init(
    _ configuration: HLSUploadConfiguration, _ options: LiveOptions,
    transports: @escaping TransportFactory, states: @escaping @Sendable (LiveState) -> Void
  ) {
    self.configuration = configuration
    self.options = options
    self.transports = transports
    self.states = states
    content = Lock(
      Content(
        queue: HLSUploadQueue(
          capacity: configuration.capacity, removesOldFiles: configuration.removesOldFiles)))
  }

  /// The current status.
  var status: LiveStatus {
    content.withLock { content in
      var status = content.status
      status.sentSegmentCount = content.queue.sentSegmentCount
      status.droppedSegmentCount = content.queue.droppedSegmentCount
      status.queuedSegmentCount = content.queue.waitingSegmentCount
      status.queuedDuration = content.segmentDuration * content.queue.waitingDepth
      return status
    }
  }

  // MARK: - Output side

  func prepare(for configuration: HLSConfiguration) {
    content.withLock { content in
      content.segmentDuration = configuration.segmentDuration
      content.isOnDemand = configuration.kind == .vod
    }
  }

  /// Changes the queue with `body`.
  ///
  /// The first call starts the thread.
  func add(_ body: (inout HLSUploadQueue) -> Void) throws(OutputError) {
    let isFirst = content.withLock { content -> Bool? in
      if case .failed = content.status.state { return nil }
      body(&content.queue)
      defer { content.isStarted = true }
      return !content.isStarted
    }
    if isFirst == true { try start() }
    if isFirst == nil, let failure { throw failure }
    wake.signal()
  }

  func remove(_ name: String) {
    content.withLock { $0.queue.remove(name) }
    wake.signal()
  }

  /// The total time limit for the files that wait now.
  var finishLimit: Duration {
    let waiting = content.withLock(\.queue.waitingByteCount)
    return configuration.drainLimit
      + .milliseconds(waiting / HTTPUpload.slowestBytesPerMillisecond)
  }

  /// Waits until the server has all files or has confirmed nothing for `drainTimeout`, or until the
  /// total time limit has passed.
  func finish() {
    let isStarted = content.withLock { content in
      content.isEnding = true
      return content.isStarted
    }
    guard isStarted else { return }
    wake.signal()
    var count = content.withLock(\.confirmationCount)
    let end = Deadline(after: finishLimit)
    while true {
      let time = min(configuration.drainTimeout, end.remaining)
      if ended.wait(milliseconds: time.millisecondsToWait) { return }
      let newCount = content.withLock(\.confirmationCount)
      if newCount > count, !end.hasPassed {
        count = newCount
        continue
      }
      signal.raise()
      // The signal ends every wait of a transport except the name resolution, so the thread may not
      // end in time.
      if !ended.wait(milliseconds: Self.leaveMilliseconds) { enterFinalState() }
      return
    }
  }

  /// Makes the thread end immediately.
  func abandon() {
    signal.raise()
    wake.signal()
  }

  /// The error that ended the upload; nil if it can continue.
  var failure: OutputError? { content.withLock(\.status.state).outputFailure }

  private func start() throws(OutputError) {
    let isStarted = System.startThread("hls upload") { [self] in
      var session = HLSUploadSession(self)
      session.run()
      ended.raise()
    }
    if isStarted { return }
    ended.raise()
    fail(NetworkError(.serverFault, "The system has no threads left. Close other programs."))
    if let failure { throw failure }
  }

  /// Whether the server has all files except the dropped ones.
  var isComplete: Bool { content.withLock(\.queue.isComplete) }

  // MARK: - Thread side

  /// Whether the only playlists are those at the end, so that segments alone make the upload live.
  var isOnDemand: Bool { content.withLock(\.isOnDemand) }

  /// The maximum delay between attempts: at most one segment, because segments leave the playlist
  /// while they wait.
  var maxRetryDelay: Duration {
    min(options.maxReconnectDelay, content.withLock(\.segmentDuration))
  }

  /// Waits for the next request.
  ///
  /// Returns nil at the end of the upload.
  func nextStep() -> HLSUploadQueue.Step? {
    while !signal.isRaised {
      let (step, isEnding) = content.withLock { content in
        content.hasSent = false
        return (content.queue.next(isEnding: content.isEnding), content.isEnding)
      }
      if step != nil || isEnding { return step }
      _ = wake.wait(milliseconds: Self.idleMilliseconds)
    }
    return nil
  }

  /// Records that the server has confirmed a request.
  ///
  /// The upload becomes live if `isLive` is true; otherwise players cannot play it yet.
  func confirm(_ step: HLSUploadQueue.Step, isReconnection: Bool, isLive: Bool) {
    content.withLock { content in
      content.queue.confirm(step)
      if step.kind != .removal { content.confirmationCount += 1 }
      content.lastError = nil
      if isReconnection { content.status.reconnectCount += 1 }
    }
    if isLive { change(to: .live) }
  }

  /// Records a failed request, which stays in the queue.
  func retry(after failure: NetworkError) {
    content.withLock { content in
      content.queue.fail()
      // Once the signal is raised, errors are expected, so they are not recorded.
      if !signal.isRaised {
        content.lastError = failure
        content.isUnreached = !content.hasSent
      }
    }
  }

  /// Drops a segment that the server does not accept.
  func giveUp(_ name: String) { content.withLock { $0.queue.giveUp(name) } }

  /// Records that a removal failed.
  ///
  /// Other requests do not wait for it.
  func postponeRemoval(of name: String, isAnswered: Bool) {
    content.withLock { content in
      content.queue.failRemoval(of: name, isEnding: content.isEnding)
      // If the server did not respond to the first removal, further ones would only delay the end.
      if content.isEnding && !isAnswered { content.queue.stopRemoving() }
    }
  }

  /// Leaves old files on the server, because it does not remove them.
  func stopRemoving(because failure: NetworkError) {
    content.withLock { content in
      content.queue.stopRemoving()
      content.status.removalError = failure
    }
  }

  /// Adds to the number of sent bytes.
  func count(_ byteCount: Int) {
    content.withLock { content in
      content.status.sentByteCount += byteCount
      content.hasSent = true
      // The server is reachable, but has not responded yet.
      if content.isUnreached, content.lastError != nil {
        content.lastError = HTTPUpload.silence(of: configuration.address)
      }
    }
  }

  /// Enters the final state: stopped if the server has all files, failed otherwise.
  func enterFinalState() {
    let failure = content.withLock { content -> NetworkError? in
      if content.queue.isComplete { return nil }
      let waitingCount = content.queue.removeAll()
      // The message counts earlier dropped segments, too.
      let count = content.queue.lostSegmentCount
      let words =
        waitingCount == 0
        ? "the final playlist is" : count == 1 ? "one segment is" : "\(count) segments are"
      return NetworkError(
        content.lastError?.kind ?? .timeout,
        "The end of the stream did not reach “\(configuration.address)”: \(words) missing "
          + "there. "
          + (content.lastError?.message
            ?? "Check whether the network is fast enough for the bitrate."))
    }
    change(to: failure.map { .failed($0) } ?? .stopped)
  }

  /// Enters the failed state, and drops all waiting files.
  func fail(_ failure: NetworkError) {
    let state = content.withLock { content -> LiveState? in
      var failure = failure
      _ = content.queue.removeAll()
      let count = content.queue.lostSegmentCount
      // If the server has no file of the stream, no segment is missing there.
      if count > 0 && content.confirmationCount > 0 {
        failure.message += count == 1 ? " One segment is" : " \(count) segments are"
        failure.message += " missing there."
      }
      return content.status.state.enter(.failed(failure)) ? content.status.state : nil
    }
    if let state { states(state) }
  }

  /// Changes the state and reports it, unless the current one is final.
  func change(to state: LiveState) {
    if content.withLock({ $0.status.state.enter(state) }) { states(state) }
  }
}
