import AacornSystem

/// Runs an output on its own thread, behind a queue that is bounded in bytes.
///
/// Handing something over never waits. An output that falls behind by more than the bound, which is
/// minutes of audio, has failed: it is closed with what it has.
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
    var patience = Duration.zero
    var isFinished = false
  }

  let name: String
  let takesRenditions: Bool
  /// The rendition that it takes, or the first of all.
  let rendition: Int
  /// The name of the track that it takes; nil if it takes the mix.
  private let track: String?
  private let queue = Lock<Queue>(Queue())
  private let progress = Lock(Progress())
  private let wake = Semaphore()
  private let ended = Semaphore()
  private let events: @Sendable (RecorderEvent) -> Void

  private struct Queue {
    var messages: [Message] = []
    var byteCount = 0
    var isClosed = false
  }

  /// The most bytes that may wait: three minutes of CD audio, some twenty of AAC at 96 kb/s.
  static let byteLimit = 32 << 20
  /// The queue's overhead per packet, since packets of silence have only a few bytes.
  private static let packetOverhead = MemoryLayout<Message>.stride + 32
  /// Milliseconds between checks that the output is still there.
  private static let lookInterval = 400

  /// Starts the thread for an output that has been opened.
  init?(
    _ output: any PacketOutput, track: String? = nil,
    events: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    name = output.name
    self.track = track
    takesRenditions = output.takesRenditions
    rendition = output.takesRenditions ? 0 : output.rendition
    self.events = events
    note(output)
    let isStarted = System.startThread { [self] in
      run(output)
      progress.withLock { $0.isFinished = true }
      ended.signal()
    }
    guard isStarted else { return nil }
  }

  /// Whether so much is queued that a source that can wait should.
  var isBusy: Bool { queue.withLock { $0.byteCount > Self.byteLimit / 4 && !$0.isClosed } }

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

  /// Bytes written so far.
  var byteCount: Int { progress.withLock { $0.byteCount } }

  /// Why it has failed, if it has.
  var failure: OutputError? { progress.withLock { $0.failure } }

  /// Parts of the output that others have removed or damaged.
  var losses: [OutputError] { progress.withLock { $0.losses } }

  /// How much of the end of a recording of this length it has not saved, if it saves sound at all.
  func unsavedSampleCount(of sampleCount: Int) -> Int {
    progress.withLock(\.savedPosition).map { max(0, sampleCount - $0) } ?? 0
  }

  /// Tells the output to finish its queue; several outputs do so at the same time.
  func beginToClose() {
    queue.withLock { queue in
      if !queue.isClosed { queue.messages.append(.close) }
      queue.isClosed = true
    }
    wake.signal()
  }

  /// Lets the output finish its queue, and waits for that, however long it takes.
  ///
  /// Only an output that makes no progress for longer than its patience, such as a pipe that nobody
  /// reads, is abandoned, together with its thread.
  func close() -> [OutputSummary] {
    beginToClose()
    var patience = OutputPatience(handledCount: progress.withLock(\.handledCount))
    while !progress.withLock(\.isFinished) {
      let pause = OutputPatience.pause(of: progress.withLock(\.patience))
      if ended.wait(milliseconds: pause) { continue }
      if patience.isOver(handledCount: progress.withLock(\.handledCount)) {
        fail(.tooSlow(name))
        break
      }
    }
    return progress.withLock { $0.summaries }
  }

  private func run(_ output: any PacketOutput) {
    var output = output
    var isOpen = true
    var lookTime = System.nanoseconds
    while isOpen {
      _ = wake.wait(milliseconds: Self.lookInterval)
      var messages = queue.withLock { queue in
        defer { queue.messages = [] }
        return queue.messages
      }
      // The last first, so that each can be removed, and its bytes freed, when it is done.
      messages.reverse()
      if messages.isEmpty {
        lookTime = System.nanoseconds
        isOpen = attend(&output) { (output) throws(OutputError) in
          tell(try output.look())
          return true
        }
        note(output)
      }
      while isOpen, let message = messages.popLast() {
        isOpen = attend(&output) { (output) throws(OutputError) in
          let goesOn = try handle(message, &output)
          let now = System.nanoseconds
          if now - lookTime >= Int64(Self.lookInterval) * 1_000_000 {
            lookTime = now
            tell(try output.look())
          }
          return goesOn
        }
        note(output)
        progress.withLock { $0.handledCount += 1 }
        if case .packet(let packet) = message {
          queue.withLock { $0.byteCount -= packet.bytes.count + Self.packetOverhead }
        }
      }
    }
  }

  /// Notes how far the output is.
  private func note(_ output: any PacketOutput) {
    let (byteCount, savedPosition) = (output.byteCount, output.savedPosition)
    let patience = output.patience
    progress.withLock { progress in
      progress.byteCount = byteCount
      progress.savedPosition = savedPosition
      progress.patience = patience
    }
  }

  /// Performs an action on the output and closes it if that fails; false if it is then finished.
  private func attend(
    _ output: inout any PacketOutput,
    _ body: (inout any PacketOutput) throws(OutputError) -> Bool
  ) -> Bool {
    do throws(OutputError) {
      return try body(&output)
    } catch {
      fail(error)
      if let summary = output.abandon() { close(summary) }
      tell((try? output.look()) ?? [])
      queue.withLock { queue in
        queue.isClosed = true
        queue.messages = []
      }
      return false
    }
  }

  /// Returns false after the last message.
  private func handle(
    _ message: Message, _ output: inout any PacketOutput
  ) throws(OutputError) -> Bool {
    switch message {
    case .begin(let start):
      try output.begin(start)
      events(.outputOpened(output.name))
    case .packet(let packet): try output.write(packet)
    case .gap(let gap): try output.note(gap)
    case .end(let end):
      let summary = try output.end(end)
      tell(try output.look())
      if let summary { close(summary) }
    case .close:
      let summary = output.abandon()
      tell(try output.look())
      if let summary { close(summary) }
      return false
    }
    return true
  }

  private func tell(_ mishaps: [OutputMishap]) {
    for mishap in mishaps {
      switch mishap {
      case .moved(let old, let new): events(.outputMoved(from: old, to: new))
      case .lost(let name, let error):
        progress.withLock { progress in
          progress.losses.append(error)
          // What was complete before is no result any more.
          if error.kind == .lost { progress.summaries.removeAll { $0.name == name } }
        }
        events(.outputLost(name: name, error))
      case .away(let names):
        let away = Set(names)
        progress.withLock { progress in progress.summaries.removeAll { away.contains($0.name) } }
        events(.outputsAway(names))
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
      "“\(name)” could not keep up with the sound and was closed with what had been written. "
        + "Choose a faster disk or reader, or a lower bitrate.")
  }
}
