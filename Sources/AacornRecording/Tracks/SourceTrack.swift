import AacornDevices
import AacornSystem

/// The sound of one source on the way to the mix: on the recording's time line, at its rate, with
/// its channels.
///
///     block ─► timeline ─► work ─► input stage ─► effects ─► frames ─► mixdown
///               (gaps)              (rate, gain)
///
/// Blocks go in with `accept`, and `advance` does what they call for piece by piece, so that an hour
/// of silence never has to be in memory at once.
struct SourceTrack {
  /// What happens on the way.
  enum News {
    /// Time for which there is no sound.
    case gap(RecordingGap)
    /// Anything else.
    case event(RecorderEvent)
  }

  /// What is left to do, in order.
  enum Work {
    /// Blocks of this form follow.
    case form(CaptureBlock)
    /// Frames that are lost, at the device's rate, since a time of the wall clock.
    case silence(frameCount: Int, sampleRate: Int, RecordingGap.Cause, wallTime: Int64)
    /// Sound, which ends a gap.
    case sound(CaptureBlock, [Float])
    /// More frames than time, before a time of the wall clock.
    case surplus(frameCount: Int, sampleRate: Int, wallTime: Int64)
    /// Something to tell, once what came before it is done.
    case event(RecorderEvent)
    /// The gap is over.
    case endOfGap
    /// Nothing more comes: what the resampler holds is the end.
    case end
  }

  let configuration: RecordingConfiguration
  let followsClock: Bool

  var timeline = Timeline()
  var input: InputStage
  /// Blocks about which the timeline has not decided.
  var held: [(block: CaptureBlock, samples: [Float])] = []
  var work: [Work] = []
  /// What this track alone goes through, at the recording's rate and with its channels.
  var effects: EffectRack
  /// Frames of the recording that the mix has not taken, in their places whatever the effects are.
  var frames: [Float] = []
  /// What nobody has been told yet.
  var news: [News] = []

  /// The gap that is growing, which becomes an entry when sound returns.
  var openGap: RecordingGap?
  var isPaused = false
  /// Pauses, and ends of pauses, that begin with the first frame that is captured at a time or later;
  /// in order.
  var turns: [(isPaused: Bool, time: Int64, border: Int64)] = []
  /// Frames at the recording's rate omitted since the pause began.
  var pausedCount = 0
  /// Frames omitted in all pauses before.
  var pausedTotal = 0
  var pauseWallTime: Int64 = 0
  /// Why no samples arrive, if it is known that none do.
  var absence: RecordingGap.Cause?
  /// Samples of another source before this time are dropped: the old one had them.
  var overlapEnd: Int64?
  /// Frames of another device that are dropped for the same reason.
  var repeatedCount = 0

  /// How far the wall clock is ahead of the monotonic one.
  var wallOffset: Int64
  /// How long the computer had slept at the last look.
  var lastSleptTime = System.sleptNanoseconds
  var startTime: Int64?
  var startWallTime: Int64 = 0
  /// A position in the recording and when it was captured.
  var anchor: (position: Int, time: Int64) = (0, 0)
  var nextCorrection = 0
  /// Whether the source has ended.
  var hasEnded = false

  /// A track of a source; `isStretchable` if it is to be held to the time of another one.
  ///
  /// The effects of the configuration are those of the mix; the track has its own.
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

  /// Whether samples have arrived.
  var hasStarted: Bool { startTime != nil }

  /// Whether it is paused, or will be with what has been captured by now.
  var isToBePaused: Bool { turns.last?.isPaused ?? isPaused }

  /// When the next frame is captured, by the monotonic clock; nil if nothing comes for now.
  var nextTime: Int64? { hasEnded || absence != nil ? nil : timeline.clock?.nextTime }
}

extension SourceTrack {
  /// Accepts a block of samples or a notice.
  mutating func accept(_ block: CaptureBlock, _ samples: [Float], from device: CaptureDevice?) {
    switch block.notice {
    case .samples: acceptSamples(block, samples, device)
    case .deviceLost:
      settle()
      absence = .deviceLost
      timeline.expectLoss(.deviceLost)
      work.append(.event(.deviceLost))
    case .suspended:
      settle()
      absence = .suspended
      timeline.expectLoss(.suspended)
      work.append(.event(.suspended))
    case .deviceReturned: work.append(.event(.deviceReturned(device)))
    case .resumed: work.append(.event(.resumed))
    case .deviceChanged:
      timeline.expectLoss(.deviceLost)
      work.append(.event(.deviceChanged(device)))
    case .ended:
      settle()
      hasEnded = true
    // The session ends with it.
    case .failed: break
    }
  }

  private mutating func acceptSamples(
    _ block: CaptureBlock, _ samples: [Float], _ device: CaptureDevice?
  ) {
    guard block.channelCount > 0, block.sampleRate > 0,
      block.frameCount > 0 || block.lostFrameCount > 0
    else { return }
    absence = nil
    var (block, samples) = (block, samples)
    if let overlapEnd { cutOverlap(&block, &samples, overlapEnd) }
    if block.frameCount == 0 && block.lostFrameCount == 0 { return }
    if startTime == nil { begin(at: block.time, device) }
    if let first = held.first, first.block.sampleRate != block.sampleRate { settle() }
    switch timeline.accept(&block) {
    case .hold:
      held.append((block, samples))
    case .pass(let lost, let cause):
      place(block, samples, lost: lost, cause)
    case .release(let lost, let cause):
      release(lost: lost, cause)
      place(block, samples, lost: 0, cause)
    case .surplus(let count, isRepeated: true):
      repeatedCount = count
      release(lost: 0, .surplus)
      place(block, samples, lost: 0, .surplus)
    case .surplus(let count, isRepeated: false):
      release(lost: 0, .surplus)
      place(block, samples, lost: 0, .surplus)
      work.append(
        .surplus(
          frameCount: count, sampleRate: block.sampleRate, wallTime: block.time + wallOffset))
    }
  }

  private mutating func begin(at time: Int64, _ device: CaptureDevice?) {
    startTime = time
    // A simulated clock may start anywhere.
    if !followsClock { wallOffset = System.wallNanoseconds - time }
    startWallTime = time + wallOffset
    news.append(.event(.started(device, wallTime: startWallTime)))
  }

  /// Lets the held blocks go on, after so many lost frames.
  mutating func release(lost: Int, _ cause: RecordingGap.Cause) {
    let blocks = held
    held = []
    for (index, entry) in blocks.enumerated() {
      place(entry.block, entry.samples, lost: index == 0 ? lost : 0, cause)
    }
  }

  /// Puts a block on the time line, after any silence that belongs before it.
  private mutating func place(
    _ block: CaptureBlock, _ samples: [Float], lost: Int, _ cause: RecordingGap.Cause
  ) {
    var (block, samples) = (block, samples)
    work.append(.form(block))
    // Another device has already delivered these.
    let repeated = min(repeatedCount, block.frameCount)
    repeatedCount -= repeated
    leaveOut(repeated, of: &block, &samples)
    let (rate, known) = (block.sampleRate, block.lostFrameCount)
    let start = block.time - nanoseconds(lost + known, rate)
    fill(lost, cause, at: start, rate)
    fill(known, RecordingGap.Cause(block.lossCause), at: start + nanoseconds(lost, rate), rate)
    work.append(.sound(block, samples))
  }

  /// Puts silence for lost frames on the time line.
  mutating func fill(
    _ frameCount: Int, _ cause: RecordingGap.Cause, at time: Int64, _ sampleRate: Int
  ) {
    if frameCount <= 0 { return }
    work.append(
      .silence(
        frameCount: frameCount, sampleRate: sampleRate, cause, wallTime: time + wallOffset))
  }

  /// Drops what the old source has already delivered.
  private mutating func cutOverlap(
    _ block: inout CaptureBlock, _ samples: inout [Float], _ end: Int64
  ) {
    // Times are whole nanoseconds, so a fraction of a frame is rounded.
    let early = Int((Double(end - block.time) * 1e-9 * Double(block.sampleRate)).rounded())
    let count = min(max(0, early), block.frameCount)
    // What is lost before the block may be in the old source's sound as well.
    block.lostFrameCount = min(block.lostFrameCount, max(0, -early))
    leaveOut(count, of: &block, &samples)
    if block.frameCount > 0 { overlapEnd = nil }
  }

  /// Removes frames at the beginning of a block.
  func leaveOut(_ count: Int, of block: inout CaptureBlock, _ samples: inout [Float]) {
    guard count > 0 else { return }
    samples.removeFirst(count * block.channelCount)
    block.frameCount -= count
    block.time += nanoseconds(count, block.sampleRate)
  }

  private func nanoseconds(_ frames: Int, _ rate: Int) -> Int64 {
    Int64(Double(frames) / Double(rate) * 1e9)
  }
}
