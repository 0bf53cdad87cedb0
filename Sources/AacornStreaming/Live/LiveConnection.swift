import AacornCodec
import AacornRecording
import AacornSystem
import AacornWeb

/// A connection to a server that receives audio live: its state, and what is being played.
///
/// The other half of a ``LiveOutput``, for watching and controlling it from any thread.
public final class LiveConnection: Sendable {
  /// The server's address, without user, password or stream key.
  public let name: String

  let service: any LiveService
  let options: LiveOptions
  let transports: TransportFactory
  let signal = StopSignal()
  let wake = Semaphore()
  private let states: @Sendable (LiveState) -> Void
  private let ended = StopSignal()
  private let content: Lock<Content>

  /// How long closing the connection may take, beyond the time for queued frames.
  private static let leaveMilliseconds = 1000

  private struct Content {
    var status = LiveStatus()
    var queue = LiveQueue(limit: 0)
    var sentSampleCount = 0
    var metadata: LiveMetadata
    /// Counts the changes of `metadata`.
    var edition = 0
    var configuration: AudioSpecificConfig?
    var timing: StreamTiming?
    /// Whether the connection is being opened now.
    var isOpening = false
    /// Whether no more frames will be sent.
    var isOver = false
    /// When the last frame must be sent, once the end was requested.
    var deadline: Deadline?
    /// What has kept the server from accepting audio so far.
    var obstacle: NetworkError?
  }

  init(
    _ service: any LiveService, _ options: LiveOptions, metadata: LiveMetadata,
    transports: @escaping TransportFactory, states: @escaping @Sendable (LiveState) -> Void
  ) {
    name = service.name
    self.service = service
    self.options = options
    self.transports = transports
    self.states = states
    content = Lock(Content(metadata: metadata))
  }

  /// The current status.
  public var status: LiveStatus {
    content.withLock { content in
      var status = content.status
      status.queuedFrameCount = content.queue.count
      if let timing = content.timing {
        status.queuedDuration = Duration(
          samples: content.queue.sampleCount, at: timing.sampleRate)
      }
      return status
    }
  }

  /// Tells the listeners what is being played from now on.
  public func update(_ metadata: LiveMetadata) {
    content.withLock { content in
      guard content.metadata != metadata else { return }
      content.metadata = metadata
      content.edition += 1
    }
    wake.signal()
  }

  // MARK: - The output's side

  /// Why it cannot continue, if so.
  var failure: OutputError? {
    guard case .failed(let error) = content.withLock(\.status.state) else { return nil }
    return OutputError(.connection, error.sentence)
  }

  /// Samples in the frames that were sent.
  var sentSampleCount: Int { content.withLock(\.sentSampleCount) }

  /// Starts the thread for a stream on the first call.
  func start(
    _ configuration: AudioSpecificConfig, _ timing: StreamTiming
  ) throws(OutputError) {
    if let failure { throw failure }
    let present: AudioSpecificConfig? = content.withLock { content in
      if let configuration = content.configuration { return configuration }
      content.configuration = configuration
      content.timing = timing
      content.queue.limit = options.queueDuration.sampleCount(at: timing.sampleRate)
      return nil
    }
    if let present {
      if present == configuration { return }
      throw OutputError(
        .unsupported,
        "“\(name)” cannot continue with a different sampling rate or different channels.")
    }
    let isStarted = System.startThread { [self] in
      var session = LiveSession(self, configuration, timing)
      session.run()
      ended.raise()
    }
    if isStarted { return }
    dropRest()
    ended.raise()
    throw OutputError(.connection, "The system has no threads left. Close other programs.")
  }

  /// Appends a frame to the queue; one that comes too late counts as dropped.
  func send(_ frame: LiveFrame) throws(OutputError) {
    let isFirst = content.withLock { content in
      guard !content.isOver && content.deadline == nil else {
        content.status.droppedFrameCount += 1
        return false
      }
      let wasEmpty = content.queue.count == 0
      content.status.droppedFrameCount += content.queue.append(frame)
      return wasEmpty
    }
    // The thread waits only while the queue is empty.
    if isFirst { wake.signal() }
    if let failure { throw failure }
  }

  /// Ends the connection after sending queued frames if that is quick; false if it never began.
  func stop() -> Bool {
    let drain = options.drainTimeout
    let (isStarted, maySend) = content.withLock { content in
      content.deadline = content.deadline ?? Deadline(after: drain)
      let maySend =
        content.status.state == .live || content.isOpening && content.queue.count > 0
      return (content.configuration != nil, maySend)
    }
    guard isStarted else {
      conclude()
      return false
    }
    if !maySend { signal.raise() }
    wake.signal()
    if ended.wait(milliseconds: drain.millisecondsToWait) { return true }
    if status.state == .live, ended.wait(milliseconds: Self.leaveMilliseconds) { return true }
    signal.raise()
    // Every wait of a transport ends with the signal; only a name server may take longer.
    if !ended.wait(milliseconds: Self.leaveMilliseconds) { conclude() }
    return true
  }

  // MARK: - The session's side

  /// What is being played, and a number that grows with every change of it.
  var metadata: (LiveMetadata, edition: Int) { content.withLock { ($0.metadata, $0.edition) } }

  /// Whether the end was requested.
  var isEnding: Bool { content.withLock { $0.deadline != nil } }

  /// Whether the time for sending frames after that is over.
  var isDrainOver: Bool {
    content.withLock(\.deadline)?.isOver ?? false
  }

  /// The oldest queued frame; `finish` must follow.
  func startFrame() -> LiveFrame? { content.withLock { $0.queue.start() } }

  /// Removes the frame from the queue if it was sent completely.
  func finish(_ frame: LiveFrame, wasSent: Bool) {
    content.withLock { content in
      content.status.droppedFrameCount += content.queue.finish(wasSent: wasSent)
      guard wasSent else { return }
      content.status.sentFrameCount += 1
      content.sentSampleCount += frame.sampleCount
    }
  }

  /// Whether a decoder can begin with the next frame to be sent; false if that is not known yet.
  var beginsWithEntry: Bool {
    content.withLock { $0.configuration?.entryDistance == 1 || $0.queue.beginsWithEntry }
  }

  /// Inserts frames that were already sent at the front of the queue again.
  func takeBack(_ frames: [LiveFrame]) {
    content.withLock { content in
      content.status.sentFrameCount -= frames.count
      content.status.returnedFrameCount += frames.count
      content.sentSampleCount -= frames.reduce(0) { $0 + $1.sampleCount }
      content.status.droppedFrameCount += content.queue.putBack(frames)
    }
  }

  /// Counts bytes that were sent.
  func count(_ byteCount: Int) { content.withLock { $0.status.sentByteCount += byteCount } }

  /// Bytes sent over all connections.
  var sentByteCount: Int { content.withLock(\.status.sentByteCount) }

  /// Records whether a connection is being opened, which may soon carry frames.
  func setOpening(_ isOpening: Bool) { content.withLock { $0.isOpening = isOpening } }

  /// Records why the server was not told what is being played; nil if it was.
  func setMetadataError(_ error: NetworkError?) {
    content.withLock { $0.status.metadataError = error }
  }

  /// Records what would have kept the server from accepting audio if the end came now.
  func setObstacle(_ obstacle: NetworkError) { content.withLock { $0.obstacle = obstacle } }

  /// Counts a reconnection.
  func countReconnection() { content.withLock { $0.status.reconnectCount += 1 } }

  /// Counts frames that will never be sent as dropped.
  func dropRest() {
    content.withLock { content in
      content.isOver = true
      content.status.droppedFrameCount += content.queue.removeAll()
    }
  }

  /// Enters the requested end state, unless there is a final state already.
  ///
  /// A server that was sent audio but accepted none of it has failed, for whatever reason: nobody
  /// should believe that the stream went out.
  func conclude() {
    dropRest()
    let obstacle = content.withLock { content in
      let status = content.status
      return status.sentFrameCount == 0 && status.droppedFrameCount > 0 ? content.obstacle : nil
    }
    change(to: obstacle.map(LiveState.failed) ?? .stopped)
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
