import AacornRecording
import AacornSystem
import AacornWeb

/// What the two sides of an upload share: the output, which never waits, and the thread that talks
/// to the server.
final class HLSUploadWork: Sendable {
  let configuration: HLSUploadConfiguration
  let options: LiveOptions
  let transports: TransportFactory
  let signal = StopSignal()
  private let states: @Sendable (LiveState) -> Void
  private let wake = Semaphore()
  private let ended = StopSignal()
  private let content: Lock<Content>

  /// How long the thread may take to notice the signal.
  private static let leaveMilliseconds = 1000
  /// How long it waits for something to do at a time.
  private static let idleMilliseconds = 500

  private struct Content {
    var status = HLSUploadStatus()
    var queue: HLSUploadQueue
    var segmentDuration = HLSConfiguration().segmentDuration
    var isStarted = false
    /// Whether nothing will be added.
    var isEnding = false
    /// Why the last request failed; nil if it did not.
    var trouble: NetworkError?
    /// Whether that was before anything could be sent.
    var isUnreached = false
    /// Whether something of the request that is under way has been sent.
    var hasSent = false
    /// Files and playlists that the server has confirmed.
    var confirmationCount = 0

    /// Enters a state, unless the current one is final or the same; whether it is entered.
    mutating func enter(_ state: LiveState) -> Bool {
      if status.state.isLast || status.state == state { return false }
      status.state = state
      return true
    }
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
          capacity: configuration.capacity, removes: configuration.removesOldFiles)))
  }

  /// The current status.
  var status: HLSUploadStatus {
    content.withLock { content in
      var status = content.status
      status.sentSegmentCount = content.queue.sentSegmentCount
      status.droppedSegmentCount = content.queue.droppedSegmentCount
      status.queuedSegmentCount = content.queue.waitingSegmentCount
      status.queuedDuration = content.segmentDuration * content.queue.waitingDepth
      return status
    }
  }

  // MARK: - The output's side

  func prepare(segmentDuration: Duration) {
    content.withLock { $0.segmentDuration = segmentDuration }
  }

  /// Adds to the queue, and starts the thread on the first call.
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

  /// Waits until the server has everything, has confirmed nothing for too long, or takes too long
  /// altogether.
  func finish() {
    let isStarted = content.withLock { content in
      content.isEnding = true
      return content.isStarted
    }
    guard isStarted else { return }
    wake.signal()
    var count = content.withLock(\.confirmationCount)
    let waiting = content.withLock(\.queue.waitingByteCount)
    let end = Deadline(
      after: configuration.drainLimit
        + .milliseconds(waiting / HTTPUpload.slowestBytesPerMillisecond))
    while true {
      let time = min(configuration.drainTimeout, end.rest)
      if ended.wait(milliseconds: time.millisecondsToWait) { return }
      let newCount = content.withLock(\.confirmationCount)
      if newCount > count, !end.isOver {
        count = newCount
        continue
      }
      signal.raise()
      // Every wait of a transport ends with the signal; only a name server may take longer.
      if !ended.wait(milliseconds: Self.leaveMilliseconds) { conclude() }
      return
    }
  }

  /// Has the thread end at once.
  func abandon() {
    signal.raise()
    wake.signal()
  }

  /// Why it cannot continue, if so.
  var failure: OutputError? {
    guard case .failed(let error) = content.withLock(\.status.state) else { return nil }
    return OutputError(.connection, error.sentence)
  }

  private func start() throws(OutputError) {
    let isStarted = System.startThread { [self] in
      var session = HLSUploadSession(self)
      session.run()
      ended.raise()
    }
    if isStarted { return }
    ended.raise()
    fail(NetworkError(.serverFault, "The system has no threads left. Close other programs."))
    if let failure { throw failure }
  }

  /// Whether the server has everything but what was dropped.
  var isComplete: Bool { content.withLock(\.queue.isComplete) }

  // MARK: - The thread's side

  /// The longest wait before another attempt: segments leave the playlist meanwhile.
  var longestDelay: Duration {
    min(options.longestDelay, content.withLock(\.segmentDuration))
  }

  /// Waits for something to do; nil at the end.
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

  /// Records that the server has done a step.
  func confirm(_ step: HLSUploadQueue.Step, isReconnection: Bool) {
    content.withLock { content in
      content.queue.confirm(step)
      if step.kind != .removal { content.confirmationCount += 1 }
      content.trouble = nil
      if isReconnection { content.status.reconnectCount += 1 }
    }
    change(to: .live)
  }

  /// Records that the server has not done a step, which stays to be done.
  func retry(after failure: NetworkError) {
    content.withLock { content in
      content.queue.fail()
      // Once the signal is raised nothing is broken.
      if !signal.isRaised {
        content.trouble = failure
        content.isUnreached = !content.hasSent
      }
    }
  }

  /// Gives up a segment that the server does not take.
  func giveUp(_ name: String) { content.withLock { $0.queue.giveUp(name) } }

  /// Records that the server has not removed a file, for which nothing else waits.
  func postponeRemoval(of name: String, isAnswered: Bool) {
    content.withLock { content in
      content.queue.failRemoval(of: name, isEnding: content.isEnding)
      // Without an answer to the first, the others would only delay the end.
      if content.isEnding && !isAnswered { content.queue.stopRemoving() }
    }
  }

  /// Leaves old files where they are, which the server does not remove.
  func stopRemoving(because failure: NetworkError) {
    content.withLock { content in
      content.queue.stopRemoving()
      content.status.removalError = failure
    }
  }

  /// Counts bytes that were sent.
  func count(_ byteCount: Int) {
    content.withLock { content in
      content.status.sentByteCount += byteCount
      content.hasSent = true
      // It is there by now, and has not answered yet.
      if content.isUnreached, content.trouble != nil {
        content.trouble = HTTPUpload.silence(of: configuration.address)
      }
    }
  }

  /// Enters the final state: the server has everything, or the upload has failed.
  func conclude() {
    let failure = content.withLock { content -> NetworkError? in
      if content.queue.isComplete { return nil }
      let waitingCount = content.queue.removeAll()
      // With those of the end, what was dropped before is missing, too.
      let count = content.queue.lostSegmentCount
      let words =
        waitingCount == 0
        ? "the playlist with the end is" : count == 1 ? "one segment is" : "\(count) segments are"
      return NetworkError(
        content.trouble?.kind ?? .timeout,
        "The end of the stream has not arrived at “\(configuration.address)”: \(words) missing "
          + "there. "
          + (content.trouble?.sentence
            ?? "Check whether the network is fast enough for the bitrate."))
    }
    change(to: failure.map { .failed($0) } ?? .stopped)
  }

  /// Gives up, from when on nothing is taken.
  func fail(_ failure: NetworkError) {
    let state = content.withLock { content -> LiveState? in
      var failure = failure
      _ = content.queue.removeAll()
      let count = content.queue.lostSegmentCount
      // Where nothing is, nothing is missing.
      if count > 0 && content.confirmationCount > 0 {
        failure.sentence += count == 1 ? " One segment is" : " \(count) segments are"
        failure.sentence += " missing there."
      }
      return content.enter(.failed(failure)) ? content.status.state : nil
    }
    if let state { states(state) }
  }

  /// Changes the state and reports it, unless the current one is final.
  func change(to state: LiveState) {
    if content.withLock({ $0.enter(state) }) { states(state) }
  }
}
