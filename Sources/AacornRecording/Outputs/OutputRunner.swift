import AacornSystem

/// Runs an output on its own thread, with a queue that is limited in bytes.
///
/// Sending never blocks. An output that falls behind by more than the limit, which is minutes of
/// audio, fails and is closed with its current content.
///
/// An output with its own queue, such as a live stream, also has a runner. Its end waits for
/// the server, and its status takes locks and calls closures of the app, which must not delay the
/// capture.
final class OutputRunner: Sendable {
  /// A message to an output.
  enum Message: Sendable {
    case begin(SegmentStart)
    case packet(EncodedPacket)
    case gap(RecordingGap)
    case end(SegmentEnd)
    case close
  }

  /// The progress of the output.
  struct Progress {
    var byteCount = 0
    var savedPosition: Int?
    var failure: OutputError?
    var losses: [OutputError] = []
    var summaries: [OutputSummary] = []
    var handledCount = 0
    var closeTimeout = Duration.zero
    var isFinished = false
  }

  let name: String
  let acceptsRenditions: Bool
  /// The rendition of the output, or 0 if it accepts all.
  let rendition: Int
  /// The name of the output's track; nil if it receives the mix.
  private let track: String?
  private let queue = Lock<Queue>(Queue())
  private let progress = Lock(Progress())
  private let wake = Semaphore()
  /// Signaled when the queue has room again, or is closed.
  private let room = Semaphore()
  private let ended = Semaphore()
  private let events: @Sendable (RecorderEvent) -> Void

  private struct Queue {
    var messages: [Message] = []
    var byteCount = 0
    var isClosed = false

    /// Whether a source that can wait need not wait.
    var hasRoom: Bool { byteCount <= OutputRunner.byteLimit / 4 }
  }

  /// The maximum number of queued bytes: three minutes of CD audio, about twenty of AAC at 96 kb/s.
  static let byteLimit = 32 << 20
  /// The queue's overhead per packet, since packets of silence have only a few bytes.
  private static let packetOverhead = MemoryLayout<Message>.stride + 32
  /// Milliseconds between checks of the output's files.
  private static let pollInterval = 400

  /// Starts the thread for an open output.
  init?(
    _ output: any PacketOutput, track: String? = nil,
    events: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    name = output.name
    self.track = track
    acceptsRenditions = output.acceptsRenditions
    rendition = output.acceptsRenditions ? 0 : output.rendition
    self.events = events
    recordProgress(output)
    let isStarted = System.startThread("output") { [self] in
      run(output)
      progress.withLock { $0.isFinished = true }
      ended.signal()
    }
    guard isStarted else { return nil }
  }

  /// Waits until a quarter of the queue is sufficient for its content, so that a source that can
  /// wait does not overfill it; returns within 50 ms when `mayWait` is false.
  func waitForRoom(while mayWait: () -> Bool) {
    while queue.withLock({ !$0.hasRoom && !$0.isClosed }), mayWait() {
      _ = room.wait(milliseconds: 50)
    }
  }

  /// Sends a message, unless the output has failed.
  func send(_ message: Message) {
    let isOverfull = queue.withLock { queue in
      guard !queue.isClosed else { return false }
      if case .packet(let packet) = message {
        queue.byteCount += packet.bytes.count + Self.packetOverhead
        if queue.byteCount > Self.byteLimit {
          queue.isClosed = true
          queue.messages.append(.close)
          return true
        }
      }
      queue.messages.append(message)
      return false
    }
    if isOverfull { fail(.tooSlow(name)) }
    wake.signal()
  }

  /// Bytes written up to now.
  var byteCount: Int { progress.withLock { $0.byteCount } }

  /// The error that ended the output; nil while the output works.
  var failure: OutputError? { progress.withLock { $0.failure } }

  /// Parts of the output that other programs have removed or damaged.
  var losses: [OutputError] { progress.withLock { $0.losses } }

  /// Returns the number of unsaved samples at the end of a recording of this length; 0 for an
  /// output without files.
  func unsavedSampleCount(of sampleCount: Int) -> Int {
    progress.withLock(\.savedPosition).map { max(0, sampleCount - $0) } ?? 0
  }

  /// Requests the output to finish its queue, without waiting, so that several outputs can finish
  /// at the same time.
  func beginToClose() {
    queue.withLock { queue in
      if !queue.isClosed { queue.messages.append(.close) }
      queue.isClosed = true
    }
    wake.signal()
  }

  /// Waits until the output has finished its queue, however long it takes.
  ///
  /// The output and its thread are abandoned only if the output makes no progress for its close
  /// timeout, for example a pipe without a reader.
  func close() -> [OutputSummary] {
    beginToClose()
    var timeout = CloseTimeout(handledCount: progress.withLock(\.handledCount))
    while !progress.withLock(\.isFinished) {
      let pause = CloseTimeout.pause(of: progress.withLock(\.closeTimeout))
      if ended.wait(milliseconds: pause) { continue }
      if timeout.hasExpired(handledCount: progress.withLock(\.handledCount)) {
        fail(.tooSlow(name))
        break
      }
    }
    return progress.withLock { $0.summaries }
  }

  private func run(_ output: any PacketOutput) {
    var output = output
    var isOpen = true
    var pollTime = System.nanoseconds
    while isOpen {
      _ = wake.wait(milliseconds: Self.pollInterval)
      var messages = queue.withLock { queue in
        defer { queue.messages = [] }
        return queue.messages
      }
      // Reversed, so that each message can be removed, and its bytes freed, when it is handled.
      messages.reverse()
      if messages.isEmpty {
        pollTime = System.nanoseconds
        isOpen = perform(&output) { (output) throws(OutputError) in
          report(try output.poll())
          return true
        }
        recordProgress(output)
      }
      while isOpen, let message = messages.popLast() {
        isOpen = perform(&output) { (output) throws(OutputError) in
          let continues = try handle(message, &output)
          let now = System.nanoseconds
          if now - pollTime >= Int64(Self.pollInterval) * 1_000_000 {
            pollTime = now
            report(try output.poll())
          }
          return continues
        }
        recordProgress(output)
        progress.withLock { $0.handledCount += 1 }
        if case .packet(let packet) = message {
          let hasNewRoom = queue.withLock { queue in
            let hadRoom = queue.hasRoom
            queue.byteCount -= packet.bytes.count + Self.packetOverhead
            return !hadRoom && queue.hasRoom
          }
          if hasNewRoom { room.signal() }
        }
      }
    }
  }

  private func recordProgress(_ output: any PacketOutput) {
    let (byteCount, savedPosition) = (output.byteCount, output.savedPosition)
    let closeTimeout = output.closeTimeout
    progress.withLock { progress in
      progress.byteCount = byteCount
      progress.savedPosition = savedPosition
      progress.closeTimeout = closeTimeout
    }
  }

  /// Performs an action on the output, and closes the output if that fails.
  ///
  /// Returns false if the output has finished or failed.
  private func perform(
    _ output: inout any PacketOutput,
    _ body: (inout any PacketOutput) throws(OutputError) -> Bool
  ) -> Bool {
    do throws(OutputError) {
      return try body(&output)
    } catch {
      fail(error.afterSaving(upTo: output.savedPosition))
      if let summary = output.abandon() { close(summary) }
      report((try? output.poll()) ?? [])
      queue.withLock { queue in
        queue.isClosed = true
        queue.messages = []
      }
      room.signal()
      return false
    }
  }

  /// Handles a message; returns false after the last one.
  private func handle(
    _ message: Message, _ output: inout any PacketOutput
  ) throws(OutputError) -> Bool {
    switch message {
    case .begin(let start):
      try output.begin(start)
      events(.outputOpened(output.name))
    case .packet(let packet): try output.write(packet)
    case .gap(let gap): try output.record(gap)
    case .end(let end):
      let summary = try output.end(end)
      report(try output.poll())
      if let summary { close(summary) }
    case .close:
      let summary = output.abandon()
      report(try output.poll())
      if let summary { close(summary) }
      return false
    }
    return true
  }

  private func report(_ incidents: [OutputIncident]) {
    for incident in incidents {
      switch incident {
      case .moved(let old, let new): events(.outputMoved(from: old, to: new))
      case .lost(let name, let error):
        progress.withLock { progress in
          progress.losses.append(error)
          // A lost file is no longer a result, even if it was complete before.
          if error.kind == .lost { progress.summaries.removeAll { $0.name == name } }
        }
        events(.outputLost(name: name, error))
      case .missing(let names):
        let missing = Set(names)
        progress.withLock { progress in progress.summaries.removeAll { missing.contains($0.name) } }
        events(.outputsMissing(names))
      }
    }
  }

  private func close(_ summary: OutputSummary) {
    var summary = summary
    summary.track = track
    progress.withLock { $0.summaries.append(summary) }
    events(.outputClosed(summary))
  }

  private func fail(_ error: OutputError) {
    progress.withLock { $0.failure = error }
    events(.outputFailed(name: name, error))
  }
}

extension OutputError {
  fileprivate static func tooSlow(_ name: String) -> OutputError {
    OutputError(
      .tooSlow,
      "“\(name)” could not keep up with the recording and was closed early. Choose a faster disk "
        + "or reader, or a lower bitrate.")
  }
}

/// The close timeout of an output: the wait ends when the output makes no progress for that time.
///
/// Polls are counted rather than timed, because a clock keeps running while the process is stopped.
struct CloseTimeout {
  /// The number of polls per timeout.
  static let pollCount = 20
  private var handledCount: Int
  private var idleCount = 0

  /// Starts the timeout with the number of messages that the output has handled.
  init(handledCount: Int) { self.handledCount = handledCount }

  /// Returns the milliseconds between two polls.
  static func pause(of timeout: Duration) -> Int {
    max(1, min(timeout.millisecondsToWait, 86_400_000) / pollCount)
  }

  /// Updates the progress; returns whether it has stalled for the whole timeout.
  mutating func hasExpired(handledCount now: Int) -> Bool {
    if now != handledCount {
      handledCount = now
      idleCount = 0
      return false
    }
    idleCount += 1
    return idleCount >= Self.pollCount
  }
}
