#if os(Linux)
import AacornSystem
import SoundRigs
import Testing

@testable import AacornDevices

extension ALSACard.Fault {
  var isSuspension: Bool { if case .suspension = self { true } else { false } }
}

extension ALSACard {
  var description: String {
    "\(rate) Hz, \(channelCount) channels, type \(type), latency \(latency), buffer \(maxBuffer), step \(step), "
      + "writes of \(maxWrite), eager \(wakesEagerly), \(faults)"
  }

  /// True after the last fault has begun.
  var hasFailed: Bool { faults.isEmpty }
}

/// A capture from a simulated card, with all of its output.
struct ALSARun {
  let card: ALSACard
  let source: ALSASource
  let sink = CaptureSink()
  /// All blocks, including events.
  private(set) var blocks: [CaptureBlock] = []
  /// The number of each block's first frame; 0 for events.
  private(set) var numbers: [Int] = []

  init(
    _ card: ALSACard, sampleRate: Int? = nil, channelCount: Int? = nil,
    maxSilenceNanoseconds: Int64 = 5_000_000_000, library: ALSALibrary = .simulated
  ) throws {
    self.card = card
    let request = CaptureRequest(
      device: .pinned(id: card.name), sampleRate: sampleRate, channelCount: channelCount)
    source = try ALSASource(
      request, library: library, maxSilenceNanoseconds: maxSilenceNanoseconds)
  }

  var frameCount: Int { blocks.reduce(0) { $0 + $1.frameCount } }
  var lostFrameCount: Int { blocks.reduce(0) { $0 + $1.lostFrameCount } }
  var events: [DeviceEvent] { blocks.compactMap(\.event) }
  /// The blocks with samples.
  var sound: [CaptureBlock] { blocks.filter { $0.event == nil } }
  /// The cause of each loss of frames.
  var causesOfLoss: [CaptureLoss] { blocks.filter { $0.lostFrameCount > 0 }.map(\.lossCause) }
  /// The number of the frame after the last one.
  private(set) var end = 0

  func start() throws { try source.start(sink) }

  /// Collects blocks until `isDone` returns true; records an issue on timeout.
  mutating func collect(
    sourceLocation: SourceLocation = #_sourceLocation, until isDone: (ALSARun) -> Bool
  ) {
    let deadline = System.seconds + TestTimeout.seconds
    while !isDone(self) && System.seconds < deadline { take(milliseconds: 20) }
    #expect(
      isDone(self), "\(frameCount) frames, \(lostFrameCount) lost, \(events)",
      sourceLocation: sourceLocation)
  }

  /// Collects blocks for a time.
  mutating func collect(milliseconds: Int) {
    let deadline = System.nanoseconds + Int64(milliseconds) * 1_000_000
    while System.nanoseconds < deadline { take(milliseconds: 20) }
  }

  /// Stops the capture and collects the remaining blocks; returns the duration in seconds.
  @discardableResult
  mutating func stop() -> Double {
    let start = System.seconds
    source.stop()
    let seconds = System.seconds - start
    while take(milliseconds: 0) {}
    return seconds
  }

  /// Starts, collects blocks until `isDone` returns true, and stops.
  mutating func run(
    sourceLocation: SourceLocation = #_sourceLocation, until isDone: (ALSARun) -> Bool
  ) throws {
    try start()
    collect(sourceLocation: sourceLocation, until: isDone)
    stop()
  }

  /// Reads the next block; returns false on timeout.
  @discardableResult
  mutating func take(milliseconds: Int) -> Bool {
    var samples: [Float] = []
    guard let block = sink.read(into: &samples, milliseconds: milliseconds) else { return false }
    let number = card.number(of: samples)
    if block.event == nil && number == nil {
      Issue.record("A block of \(block.frameCount) frames has a gap or wrong samples.")
    }
    blocks.append(block)
    numbers.append(number ?? 0)
    if let number { end = number + block.frameCount }
    return true
  }

  /// Checks that every frame arrives once and in order, or that a reported loss has exactly its length, and that the
  /// times are true within a sample.
  func expectEveryFrame(
    _ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var next: Int?
    let sample = 1_000_000_000 / Int64(card.rate) + 1
    // The times of a card without timestamps depend on the duration of a query: up to 5 ms, or 20 ms if they are
    // called unreliable.
    let tolerance = card.hasTimestamps ? 0 : card.rate / 40 + 1
    for (block, number) in zip(blocks, numbers) where block.event == nil {
      if let next {
        #expect(
          abs(number - next - block.lostFrameCount) <= (block.lostFrameCount == 0 ? 0 : tolerance),
          comment, sourceLocation: sourceLocation)
      }
      if block.isTimeReliable {
        let time = card.time(ofFrame: number)
        #expect(
          abs(block.time - time) <= sample + (card.hasTimestamps ? 0 : 2_500_000), comment,
          sourceLocation: sourceLocation)
      }
      next = number + block.frameCount
    }
  }
}

extension NumberedPlayback {
  /// Checks that the feed reports the frame that the card plays now; returns false if the card does not play.
  @discardableResult
  func expectTruePosition(
    on card: ALSACard, _ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    let now = System.nanoseconds
    guard card.isHealthy, let actual = card.number(playedAt: now),
      let played = feed.playedFrame(at: now)
    else { return false }
    // The first frame has the number 1, and the index 0. Filling the buffer takes a moment, and a query up to 20 ms.
    let tolerance = 1 + card.rate / (card.hasTimestamps ? 1000 : 40)
    #expect(abs(played - (actual - 1)) <= tolerance, comment, sourceLocation: sourceLocation)
    return true
  }
}
#endif
