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
    /// Whether old files are to be removed from the server, which has not refused to.
    var removes: Bool
    /// Dropped segments that were reported.
    var toldDropCount = 0
    /// Why the last request failed; nil if it did not.
    var trouble: NetworkError?
    /// Why a segment was given up that the server does not take; nil once that was reported.
    var refusal: NetworkError?
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
        queue: HLSUploadQueue(capacity: configuration.capacity),
        removes: configuration.removesOldFiles))
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
    if let failure { throw failure }
    let isFirst = content.withLock { content in
      body(&content.queue)
      defer { content.isStarted = true }
      return !content.isStarted
    }
    if isFirst { try start() }
    wake.signal()
  }

  func remove(_ name: String) {
    content.withLock { $0.queue.remove(name, removes: $0.removes) }
    wake.signal()
  }

  /// What was dropped since the last report; while the server is away, that is reported later.
  func takeLosses() -> [OutputError] {
    let (count, duration, refusal) = content.withLock { content -> (Int, Duration, NetworkError?) in
      let isAway = content.status.state != .live && !content.status.state.isLast
      let count = content.queue.droppedSegmentCount - content.toldDropCount
      if isAway || count == 0 { return (0, .zero, nil) }
      content.toldDropCount += count
      defer { content.refusal = nil }
      return (count, content.segmentDuration, content.refusal)
    }
    if count == 0 { return [] }
    let words = count == 1 ? "One segment" : "\(count) segments"
    let seconds =
      duration.milliseconds % 1000 == 0
      ? "\(duration.milliseconds / 1000) s" : "\(duration.milliseconds) ms"
    return [
      OutputError(
        .lost,
        "\(words) of \(seconds) could not be uploaded to “\(configuration.address)” in time and "
          + "\(count == 1 ? "was" : "were") left out: listeners miss that audio. The stream "
          + "continues." + (refusal.map { " " + $0.sentence } ?? ""))
    ]
  }

  /// Waits until the server has everything, or it is clear that it will not.
  func finish() {
    let isStarted = content.withLock { content in
      content.isEnding = true
      return content.isStarted
    }
    guard isStarted else { return }
    wake.signal()
    if !ended.wait(milliseconds: configuration.drainTimeout.millisecondsToWait) {
      signal.raise()
      // Every wait of a transport ends with the signal; only a name server may take longer.
      if !ended.wait(milliseconds: Self.leaveMilliseconds) { conclude() }
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

  // MARK: - The thread's side

  /// The longest wait before another attempt: segments leave the playlist meanwhile.
  var longestDelay: Duration {
    min(options.longestDelay, content.withLock(\.segmentDuration))
  }

  /// Waits for something to do; nil at the end.
  func nextStep() -> HLSUploadQueue.Step? {
    while !signal.isRaised {
      let (step, isEnding) = content.withLock { ($0.queue.next(), $0.isEnding) }
      if step != nil || isEnding { return step }
      _ = wake.wait(milliseconds: Self.idleMilliseconds)
    }
    return nil
  }

  /// Records that the server has done a step.
  func confirm(_ step: HLSUploadQueue.Step, isReconnection: Bool) {
    content.withLock { content in
      content.queue.confirm(step)
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
      if !signal.isRaised { content.trouble = failure }
    }
  }

  /// Gives up a segment that the server does not take.
  func giveUp(_ name: String, because failure: NetworkError) {
    content.withLock { content in
      content.queue.giveUp(name)
      content.refusal = failure
    }
  }

  /// Leaves old files where they are, which the server does not remove.
  func stopRemoving(because failure: NetworkError) {
    content.withLock { content in
      content.queue.forgetRemovals()
      content.removes = false
      content.status.removalError = failure
    }
  }

  /// Counts bytes that were sent.
  func count(_ byteCount: Int) { content.withLock { $0.status.sentByteCount += byteCount } }

  /// Enters the final state: the server has everything, or the upload has failed.
  func conclude() {
    let failure = content.withLock { content -> NetworkError? in
      if content.queue.isComplete { return nil }
      let count =
        content.queue.waitingSegmentCount + content.queue.droppedSegmentCount
        - content.toldDropCount
      let words =
        count == 0
        ? "the playlist with the end is" : count == 1 ? "one segment is" : "\(count) segments are"
      return NetworkError(
        content.trouble?.kind ?? .timeout,
        "The end of the stream has not arrived at “\(configuration.address)”: \(words) missing "
          + "there. "
          + (content.trouble?.sentence
            ?? "Check whether the network is fast enough for the bitrate."))
    }
    if let failure { fail(failure) } else { change(to: .stopped) }
  }

  /// Gives up.
  func fail(_ failure: NetworkError) {
    content.withLock { content in
      content.queue.removeAll()
      content.toldDropCount = content.queue.droppedSegmentCount
    }
    change(to: .failed(failure))
  }

  /// Changes the state and reports it, unless the current one is final.
  func change(to state: LiveState) {
    let isNew = content.withLock { content in
      if content.status.state.isLast || content.status.state == state { return false }
      content.status.state = state
      return true
    }
    if isNew { states(state) }
  }
}
