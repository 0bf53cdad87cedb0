import AacornDevices
import AacornSystem

/// Brings the audio of one source onto the recording's time line, at its rate and with its
/// channels.
///
///     block ─► timeline ─► work ─► input stage ─► effects ─► frames ─► mixdown
///               (gaps)              (rate, gain)
///
/// `accept` queues blocks, and `advance` processes them piece by piece. So an hour of silence is
/// never in memory as a whole.
struct SourceTrack {
  /// A step of the pending work.
  enum Work {
    /// Blocks of this format follow.
    case format(CaptureBlock)
    /// Lost frames, at the device's rate, from a time of the wall clock on.
    case silence(frameCount: Int, sampleRate: Int, RecordingGap.Cause, wallTime: Int64)
    /// A block of samples, which ends a gap.
    case sound(CaptureBlock, [Float])
    /// Frames in excess of the elapsed time, before a time of the wall clock.
    case surplus(frameCount: Int, sampleRate: Int, wallTime: Int64)
    /// An event to report in order.
    case event(RecorderEvent)
    /// The end of a gap.
    case endOfGap
    /// The end of the track: the resampler is flushed.
    case end
  }

  let configuration: RecordingConfiguration
  let followsClock: Bool

  var timeline = Timeline()
  var input: InputStage
  /// Blocks for which the timeline has no decision yet.
  var held: [(block: CaptureBlock, samples: [Float])] = []
  var work: [Work] = []
  /// This track's own effects, at the recording's rate and with its channels.
  var effects: EffectRack
  /// Frames of the recording that the mix has not taken; effects do not shift them.
  var frames: [Float] = []
  /// Unreported events and gaps.
  var events: [RecorderEvent] = []

  /// The open gap, which is reported when samples return.
  var openGap: RecordingGap?
  var isPaused = false
  /// Pause requests, in order.
  ///
  /// Each applies to the first frame that is captured at its `pauseTime` or later.
  var pauseRequests: [(isPaused: Bool, time: Int64, pauseTime: Int64)] = []
  /// Frames at the recording's rate omitted since the pause began.
  var pausedCount = 0
  /// Frames omitted in all earlier pauses.
  var pausedTotal = 0
  var pauseWallTime: Int64 = 0
  /// The reason why no samples arrive, if known.
  var absence: RecordingGap.Cause?
  /// Whether the source was reported as stalled.
  var isStalled = false
  /// The device of the samples, if the source has named it.
  var device: Device?
  /// The end of the old source's audio: earlier samples of the new source are dropped.
  var overlapEnd: Int64?
  /// Frames of another device that are dropped because they are already recorded.
  var repeatedCount = 0

  /// The distance of the wall clock from the monotonic clock, in nanoseconds.
  var wallOffset: Int64
  /// The total sleep of the computer at the last check, in nanoseconds.
  var lastSleptTime = System.sleptNanoseconds
  var startTime: Int64?
  var startWallTime: Int64 = 0
  /// A position in the recording and its capture time.
  var anchor: (position: Int, time: Int64) = (0, 0)
  var nextCorrection = 0
  var hasEnded = false

  /// Creates a track; `isStretchable` if it must follow the time of another track.
  ///
  /// The configuration's effects belong to the mix; `effects` are the track's own.
  init(
    _ configuration: RecordingConfiguration, followsClock: Bool, isStretchable: Bool = false,
    effects: EffectRack? = nil
  ) {
    self.configuration = configuration
    self.followsClock = followsClock
    input = InputStage(configuration, isStretchable: isStretchable)
    self.effects =
      effects
      ?? EffectRack(
        channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
    wallOffset = System.wallNanoseconds - System.nanoseconds
  }

  var hasStarted: Bool { startTime != nil }

  /// Whether the track is paused after all waiting pause requests.
  var isToBePaused: Bool { pauseRequests.last?.isPaused ?? isPaused }

  /// The capture time of the next frame by the monotonic clock; nil if no frames arrive.
  var nextTime: Int64? { hasEnded || absence != nil ? nil : timeline.clock?.nextTime }

  mutating func accept(_ block: CaptureBlock, _ samples: [Float], from device: Device?) {
    self.device = device ?? self.device
    switch block.event {
    case nil: acceptSamples(block, samples, from: device)
    case .deviceLost:
      resolveHeldBlocks()
      absence = .deviceLost
      isStalled = false
      timeline.expectLoss(.deviceLost)
      work.append(.event(.deviceLost))
    case .suspended:
      resolveHeldBlocks()
      absence = .suspended
      isStalled = false
      timeline.expectLoss(.suspended)
      work.append(.event(.suspended))
    case .deviceReturned: work.append(.event(.deviceReturned(device)))
    case .resumed: work.append(.event(.resumed))
    case .deviceChanged:
      timeline.expectLoss(.deviceLost)
      work.append(.event(.deviceChanged(device)))
    case .ended:
      resolveHeldBlocks()
      hasEnded = true
    // The session ends after a failure.
    case .failed: break
    }
  }

  private mutating func acceptSamples(
    _ block: CaptureBlock, _ samples: [Float], from device: Device?
  ) {
    guard block.channelCount > 0, block.sampleRate > 0,
      block.frameCount > 0 || block.lostFrameCount > 0
    else { return }
    absence = nil
    if isStalled {
      isStalled = false
      work.append(.event(.resumed))
    }
    var (block, samples) = (block, samples)
    if let overlapEnd { cutOverlap(&block, &samples, before: overlapEnd) }
    if block.frameCount == 0 && block.lostFrameCount == 0 { return }
    if startTime == nil { begin(at: block.time, device) }
    if let first = held.first, first.block.sampleRate != block.sampleRate { resolveHeldBlocks() }
    switch timeline.accept(&block) {
    case .hold:
      held.append((block, samples))
    case .pass(let lost, let cause):
      enqueue(block, samples, lost: lost, cause: cause)
    case .release(let lost, let cause):
      release(lost: lost, cause)
      enqueue(block, samples, lost: 0, cause: cause)
    case .surplus(let count, isRepeated: true):
      repeatedCount = count
      release(lost: 0, .surplus)
      enqueue(block, samples, lost: 0, cause: .surplus)
    case .surplus(let count, isRepeated: false):
      release(lost: 0, .surplus)
      enqueue(block, samples, lost: 0, cause: .surplus)
      work.append(
        .surplus(
          frameCount: count, sampleRate: block.sampleRate, wallTime: block.time + wallOffset))
    }
  }

  private mutating func begin(at time: Int64, _ device: Device?) {
    startTime = time
    // A simulated clock may start at any value.
    if !followsClock { wallOffset = System.wallNanoseconds - time }
    startWallTime = time + wallOffset
    events.append(.started(device, wallTime: startWallTime))
  }

  /// Queues the held blocks, after `lost` lost frames.
  mutating func release(lost: Int, _ cause: RecordingGap.Cause) {
    let blocks = held
    held = []
    for (index, entry) in blocks.enumerated() {
      enqueue(entry.block, entry.samples, lost: index == 0 ? lost : 0, cause: cause)
    }
  }

  /// Queues a block, after silence for any lost frames.
  private mutating func enqueue(
    _ block: CaptureBlock, _ samples: [Float], lost: Int, cause: RecordingGap.Cause
  ) {
    var (block, samples) = (block, samples)
    work.append(.format(block))
    // Another device has already delivered these frames.
    let repeated = min(repeatedCount, block.frameCount)
    repeatedCount -= repeated
    omit(repeated, of: &block, &samples)
    let (rate, known) = (block.sampleRate, block.lostFrameCount)
    let start = block.time - System.nanoseconds(ofFrames: Int64(lost + known), at: rate)
    fill(lost, cause: cause, at: start, sampleRate: rate)
    fill(
      known, cause: RecordingGap.Cause(block.lossCause),
      at: start + System.nanoseconds(ofFrames: Int64(lost), at: rate), sampleRate: rate)
    work.append(.sound(block, samples))
  }

  /// Queues silence for lost frames.
  mutating func fill(
    _ frameCount: Int, cause: RecordingGap.Cause, at time: Int64, sampleRate: Int
  ) {
    if frameCount <= 0 { return }
    work.append(
      .silence(
        frameCount: frameCount, sampleRate: sampleRate, cause, wallTime: time + wallOffset))
  }

  /// Drops samples that the old source has already delivered.
  private mutating func cutOverlap(
    _ block: inout CaptureBlock, _ samples: inout [Float], before end: Int64
  ) {
    // Times are whole nanoseconds, so a fraction of a frame is rounded.
    let early = Int((Double(end - block.time) * 1e-9 * Double(block.sampleRate)).rounded())
    let count = min(max(0, early), block.frameCount)
    // Frames lost before the block may be in the old source's audio as well.
    block.lostFrameCount = min(block.lostFrameCount, max(0, -early))
    omit(count, of: &block, &samples)
    if block.frameCount > 0 { overlapEnd = nil }
  }

  /// Removes frames at the beginning of a block.
  func omit(_ count: Int, of block: inout CaptureBlock, _ samples: inout [Float]) {
    samples.removeFirst(count * block.channelCount)
    block.frameCount -= count
    block.time += System.nanoseconds(ofFrames: Int64(count), at: block.sampleRate)
  }
}
