import AacornCodec
import AacornNetwork
import AacornRecording
import AacornSystem

/// A connection to a server that receives live audio: its status, and the metadata of the stream.
///
/// The counterpart of a ``LiveOutput``, for observing and controlling the stream from any thread.
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

  /// The maximum time for closing the connection, in addition to the time for queued frames.
  private static let leaveMilliseconds = 1000

  private struct Content {
    var status = LiveStatus()
    var queue = LiveQueue(limit: 0)
    var sentSampleCount = 0
    var metadata: LiveMetadata
    /// The number of changes of `metadata`.
    var edition = 0
    var configuration: AudioSpecificConfig?
    var timing: StreamTiming?
    var isOpening = false
    var isFinished = false
    /// The time by which the last frame must be sent; nil until the end is requested.
    var deadline: Deadline?
    /// The last error that prevented the server from accepting audio.
    var finalError: NetworkError?
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

  /// Changes the metadata that listeners see, from now on.
  public func update(_ metadata: LiveMetadata) {
    content.withLock { content in
      guard content.metadata != metadata else { return }
      content.metadata = metadata
      content.edition += 1
    }
    wake.signal()
  }

  // MARK: - Output side

  /// The error that ended the connection; nil if it can continue.
  var failure: OutputError? { content.withLock(\.status.state).outputFailure }

  var sentSampleCount: Int { content.withLock(\.sentSampleCount) }

  /// Starts the thread of the connection on the first call.
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
    let isStarted = System.startThread("live stream") { [self] in
      var session = LiveSession(self, configuration, timing)
      session.run()
      ended.raise()
    }
    if isStarted { return }
    dropRemainingFrames()
    ended.raise()
    throw OutputError(.connection, "The system has no threads left. Close other programs.")
  }

  /// Appends a frame to the queue.
  ///
  /// After the end, the frame counts as dropped.
  func send(_ frame: EncodedPacket) throws(OutputError) {
    let isFirst = content.withLock { content in
      guard !content.isFinished && content.deadline == nil else {
        content.status.droppedFrameCount += 1
        return false
      }
      let wasEmpty = content.queue.count == 0
      content.status.droppedFrameCount += content.queue.append(frame)
      return wasEmpty
    }
    // The thread waits only while the queue is empty, so wake it only for the first frame.
    if isFirst { wake.signal() }
    if let failure { throw failure }
  }

  /// Ends the connection after sending queued frames within the time limit.
  ///
  /// Returns false if the connection was never started.
  func stop() -> Bool {
    let drain = options.drainTimeout
    let (isStarted, maySend) = content.withLock { content in
      content.deadline = content.deadline ?? Deadline(after: drain)
      let maySend =
        content.status.state == .live || content.isOpening && content.queue.count > 0
      return (content.configuration != nil, maySend)
    }
    guard isStarted else {
      enterFinalState()
      return false
    }
    if !maySend { signal.raise() }
    wake.signal()
    if ended.wait(milliseconds: drain.millisecondsToWait) { return true }
    if status.state == .live, ended.wait(milliseconds: Self.leaveMilliseconds) { return true }
    signal.raise()
    // The signal ends every wait of a transport except the name resolution, so the thread may not
    // end in time.
    if !ended.wait(milliseconds: Self.leaveMilliseconds) { enterFinalState() }
    return true
  }

  // MARK: - Session side

  /// The current metadata, and a number that grows with every change.
  var metadata: (LiveMetadata, edition: Int) { content.withLock { ($0.metadata, $0.edition) } }

  var isEnding: Bool { content.withLock { $0.deadline != nil } }

  /// Whether the time for sending the remaining frames has expired.
  var isDrainExpired: Bool {
    content.withLock(\.deadline)?.hasPassed ?? false
  }

  /// Returns the oldest queued frame, or nil.
  ///
  /// The caller must call `finish` next.
  func startFrame() -> EncodedPacket? { content.withLock { $0.queue.start() } }

  /// Removes the frame from the queue if it was sent completely.
  func finish(_ frame: EncodedPacket, wasSent: Bool) {
    content.withLock { content in
      content.status.droppedFrameCount += content.queue.finish(wasSent: wasSent)
      guard wasSent else { return }
      content.status.sentFrameCount += 1
      content.sentSampleCount += frame.sampleCount
    }
  }

  /// Whether a decoder can start at the next frame to send.
  ///
  /// False if it is not known yet.
  var beginsWithEntry: Bool {
    content.withLock { $0.configuration?.entryDistance == 1 || $0.queue.beginsWithEntry }
  }

  /// Inserts frames that were already sent at the front of the queue, to send them again.
  func requeue(_ frames: [EncodedPacket]) {
    content.withLock { content in
      content.status.sentFrameCount -= frames.count
      content.status.returnedFrameCount += frames.count
      content.sentSampleCount -= frames.reduce(0) { $0 + $1.sampleCount }
      content.status.droppedFrameCount += content.queue.requeue(frames)
    }
  }

  func count(_ byteCount: Int) { content.withLock { $0.status.sentByteCount += byteCount } }

  var sentByteCount: Int { content.withLock(\.status.sentByteCount) }

  /// Records whether a connection is being opened, so that frames can soon be sent.
  func setOpening(_ isOpening: Bool) { content.withLock { $0.isOpening = isOpening } }

  /// Records the error of sending metadata; nil after a success.
  func setMetadataError(_ error: NetworkError?) {
    content.withLock { $0.status.metadataError = error }
  }

  /// Records the error to report if the stream ends before the server has accepted any audio.
  func setFinalError(_ finalError: NetworkError) { content.withLock { $0.finalError = finalError } }

  func countReconnection() { content.withLock { $0.status.reconnectCount += 1 } }

  func dropRemainingFrames() {
    content.withLock { content in
      content.isFinished = true
      content.status.droppedFrameCount += content.queue.removeAll()
    }
  }

  /// Enters the requested final state, unless the connection has already failed.
  ///
  /// If the server accepted none of the audio, the state is failed, so that no user believes that
  /// the stream was sent.
  func enterFinalState() {
    dropRemainingFrames()
    let finalError = content.withLock { content in
      let status = content.status
      return status.sentFrameCount == 0 && status.droppedFrameCount > 0 ? content.finalError : nil
    }
    change(to: finalError.map(LiveState.failed) ?? .stopped)
  }

  /// Changes the state and reports it, unless the current one is final.
  func change(to state: LiveState) {
    if content.withLock({ $0.status.state.enter(state) }) { states(state) }
  }
}
