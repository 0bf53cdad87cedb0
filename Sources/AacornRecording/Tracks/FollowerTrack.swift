import AacornDevices
import AacornSystem

/// A track that follows the time line of the first track, the leader.
///
///     device  ─► sink ─► source track ─► frames with positions on the leader's time line ─► mix
///     signal  ─► sink ─► source track ─► frames that are taken as the mix needs them     ─► mix
///
/// The block times of a device determine its position, and it is kept aligned (``TrackAlignment``).
/// The mix waits only briefly for a track: late samples are replaced by silence and recorded as a
/// gap.
struct FollowerTrack {
  let name: String
  /// The clock that determines when the track's samples are mixed.
  let pace: Pace
  /// The configuration of the source track, with a gain of 1.
  private let configuration: RecordingConfiguration
  /// The processing from the source to the mix.
  var track: SourceTrack
  /// The sink that receives the source's blocks.
  private(set) var sink: CaptureSink?
  /// The source of the blocks; nil if `accept` is called directly.
  let source: (any CaptureSource)?
  /// The delay of a device, or the start of a signal, in frames of the mix.
  private var offset: Int

  /// The state of a run of the source: a signal that is started again begins a new one.
  private struct Run {
    /// The position of the first frame of the track in the mix; nil until it is known.
    var origin: Int?
    /// The index of the first frame that waits for the mix.
    var nextFrameIndex = 0
    var alignment = TrackAlignment()
    /// The track's position when it was last compared with the leader.
    var comparedPosition = 0.0
    /// Whether blocks have arrived since the last comparison.
    var hasNewBlocks = false
    /// Whether the track's position must be determined again, because its pause differs from the
    /// leader's.
    var needsRealignment = false
    var isFinished = false
    var failure: RecordingError?
    /// Whether the mix has stopped waiting for the track.
    var isOverdue = false
    /// Polls of the sink without a block.
    var idleCount = 0
    /// The time of the last block, or of the first check before it.
    var lastTime: Int64?
  }

  private var run = Run()
  /// Whether the track contributes samples to the mix.
  private(set) var isPlaying: Bool

  private var samples: [Float] = []
  /// Silence in place of missing samples that has not been reported.
  var gaps: FollowerGaps
  var events: [RecorderEvent] = []

  /// Milliseconds per poll of a signal when the recording is not in real time, and the maximum
  /// number of polls.
  private static let pollMilliseconds = 50
  private static let maxPollCount = 40
  /// The misalignment of a device, in seconds, at which its position is determined again.
  private static let tolerance = 0.02
  /// Seconds without a block after which a device is considered missing.
  private static let stallSeconds = 2.0

  /// Creates a track of a started source that writes its blocks to `sink`.
  init(
    _ settings: TrackConfiguration, _ configuration: RecordingConfiguration, pace: Pace,
    source: (any CaptureSource)? = nil, sink: CaptureSink? = nil, effects: EffectRack? = nil
  ) {
    name = settings.name
    self.pace = pace
    self.source = source
    self.sink = sink
    self.configuration = configuration.forFurtherTrack
    track = Self.track(self.configuration, pace, effects: effects)
    offset = settings.startOffset.sampleCount(at: configuration.sampleRate)
    isPlaying = settings.startsByItself
    gaps = FollowerGaps(name, sampleRate: configuration.sampleRate)
  }

  private static func track(
    _ configuration: RecordingConfiguration, _ pace: Pace, effects: EffectRack?
  ) -> SourceTrack {
    SourceTrack(
      configuration, followsClock: pace == .clock, isStretchable: pace == .clock, effects: effects)
  }

  private var channelCount: Int { configuration.channelCount }
  private var sampleRate: Int { configuration.sampleRate }
  private var waitingCount: Int { track.frames.count / channelCount }

  /// The position of the first frame of the track in the mix; nil until it is known.
  var origin: Int? { run.origin }

  /// Whether the source has ended or failed; a signal can be started again.
  var isFinished: Bool { run.isFinished }

  /// Whether the device is missing, or the mix has stopped waiting for it.
  var isLost: Bool { track.absence != nil || run.isOverdue }

  // MARK: - From the source

  /// Reads the blocks that the mix needs from the source; returns whether there were any.
  ///
  /// `position` is the mix's position, `needed` the number of frames that the leader has ready for
  /// the mix. `mayWait` allows waiting for a signal.
  mutating func receive(
    at position: Int, needed: Int, _ reference: TimeReference?, mayWait: Bool
  ) -> Bool {
    var hasWork = false
    if pace == .clock {
      while takeBlock(milliseconds: 0, position) { hasWork = true }
      compare(with: reference)
      discardLate(before: position)
    } else if isPlaying && !isFinished {
      let wanted = needed - framesUntilStart(at: position)
      while waitingCount < wanted && !isFinished && !track.hasEnded {
        let isWaiting = mayWait && !run.isOverdue
        if takeBlock(milliseconds: isWaiting ? Self.pollMilliseconds : 0, position) {
          (hasWork, run.idleCount) = (true, 0)
          continue
        }
        guard isWaiting else { break }
        run.idleCount += 1
        if run.idleCount >= Self.maxPollCount { run.isOverdue = true }
      }
    }
    return hasWork
  }

  private mutating func takeBlock(milliseconds: Int, _ position: Int) -> Bool {
    samples.removeAll(keepingCapacity: true)
    guard let block = sink?.read(into: &samples, milliseconds: milliseconds) else { return false }
    accept(block, samples, at: position)
    return true
  }

  /// Accepts a block of samples or an event of the source, when the mix is at `position`.
  mutating func accept(_ block: CaptureBlock, _ samples: [Float], at position: Int) {
    if isFinished { return }
    if block.event == .failed {
      // Process all blocks that arrived before the failure.
      track.end(at: nil)
      work(at: position)
      if isFinished { return }
      return fail(
        .capture(
          source?.failure
            ?? .system(
              operation: "capture from", id: source?.device?.id ?? name, reason: "it failed")))
    }
    if block.event == nil {
      run.isOverdue = false
      run.lastTime = block.time
    }
    run.hasNewBlocks = true
    let wasConnected = track.absence == nil
    let device = block.event == nil && track.hasStarted ? nil : source?.device
    track.accept(block, samples, from: device)
    if block.event == .ended { track.end(at: nil) }
    work(at: position)
    if wasConnected, track.absence != nil { flushTail(at: position) }
  }

  /// Flushes the resampler and the effects of a device that delivers nothing.
  ///
  /// The mix does not wait for it. By the time silence pushed these frames out, the mix would have
  /// passed their positions.
  private mutating func flushTail(at position: Int) {
    guard pace == .clock else { return }
    track.flushWithSilence()
    work(at: position)
    track.finishEffects()
  }

  /// Processes the pending work and discards late frames.
  private mutating func work(at position: Int) {
    do throws(RecordingError) {
      while try track.advance() {
        if pace == .clock { discardLate(before: position) }
      }
    } catch {
      fail(error)
    }
    for event in track.events { record(event) }
    track.events.removeAll(keepingCapacity: true)
  }

  private mutating func fail(_ error: RecordingError) {
    run.isFinished = true
    run.failure = error
    track.work = []
    track.finishEffects()
    events.append(.trackFailed(name, error))
  }

  /// Handles a period in which the device may have fallen silent.
  mutating func idle(now: Int64, at position: Int) {
    guard pace == .clock, !isFinished else { return }
    let lastTime = run.lastTime ?? now
    run.lastTime = lastTime
    let isStalled = Double(now - lastTime) * 1e-9 > Self.stallSeconds
    track.idle(now: now, isStalled: isStalled)
    work(at: position)
  }

  // MARK: - On the leader's time line

  /// Compares the track's position with the leader's at the capture time of the next frame, and
  /// corrects it.
  ///
  /// A missing device is compared when it returns: its gap is reported at the old position.
  private mutating func compare(with reference: TimeReference?) {
    guard run.hasNewBlocks, track.absence == nil,
      !track.isPaused, track.pauseRequests.isEmpty, track.held.isEmpty, track.work.isEmpty,
      let reference, let clock = track.timeline.clock
    else { return }
    run.hasNewBlocks = false
    let expectedPosition = reference.position(at: clock.nextTime) + Double(offset)
    let own = track.input.exactPosition
    let passed = (own - run.comparedPosition) / Double(sampleRate)
    run.comparedPosition = own
    guard let origin else {
      run.origin = Int((expectedPosition - own).rounded())
      run.needsRealignment = false
      return
    }
    let error = expectedPosition - Double(origin) - own
    if run.needsRealignment || abs(error) > Self.tolerance * Double(sampleRate) {
      run.needsRealignment = false
      run.origin = origin + Int(error.rounded())
    } else {
      run.alignment.correct(error / Double(sampleRate), after: passed)
      track.input.stretch(partsPerMillion: run.alignment.partsPerMillion)
    }
  }

  /// Drops frames that the mix has passed; without a known position, all but the last second.
  private mutating func discardLate(before position: Int) {
    let headPosition = origin.map { $0 + run.nextFrameIndex }
    let late = if let headPosition { position - headPosition } else { waitingCount - sampleRate }
    drop(min(waitingCount, late))
  }

  private mutating func drop(_ count: Int) {
    guard count > 0 else { return }
    run.nextFrameIndex += count
    track.frames.removeFirst(count * channelCount)
  }

  // MARK: - To the mix

  /// Whether the mix waits for this track.
  var isAwaited: Bool {
    isPlaying && !isFinished && !run.isOverdue && !track.hasEnded && track.absence == nil
  }

  /// Returns the number of frames of the mix until a signal begins.
  func framesUntilStart(at position: Int) -> Int { pace == .mix ? max(0, offset - position) : 0 }

  /// Returns the number of available frames from a position of the mix, including silence before
  /// its beginning.
  func available(at position: Int) -> Int {
    if pace == .mix { return framesUntilStart(at: position) + waitingCount }
    guard let origin else { return 0 }
    return max(0, origin + run.nextFrameIndex + waitingCount - position)
  }

  /// Continues the mix without this track until its next block.
  mutating func giveUpWaiting() {
    run.isOverdue = true
    if pace == .clock { track.finishEffects() }
  }

  /// Appends the track's frames from a position of the mix, with silence for missing frames.
  mutating func take(_ count: Int, at position: Int, into output: inout [Float]) {
    guard isPlaying else {
      // A stopped track misses no frames, but the absence of its device is reported.
      if pace == .clock, track.absence != nil, !track.hasEnded {
        recordMissing(count, at: position)
      }
      return appendSilence(count, into: &output)
    }
    var lead = 0
    if pace == .mix {
      lead = min(count, self.framesUntilStart(at: position))
    } else {
      discardLate(before: position)
      if let origin { lead = min(count, max(0, origin + run.nextFrameIndex - position)) }
    }
    let ready = pace == .clock && origin == nil ? 0 : min(count - lead, waitingCount)
    let missing = count - lead - ready
    appendSilence(lead, into: &output)
    if pace == .clock && run.nextFrameIndex > 0 && lead > 0 { recordMissing(lead, at: position) }
    // The origin of a signal is the position at which it is first mixed. Each late block moves the
    // origin.
    if pace == .mix && ready > 0 { run.origin = position + lead - run.nextFrameIndex }
    output.append(contentsOf: track.frames.prefix(ready * channelCount))
    drop(ready)
    appendSilence(missing, into: &output)
    if missing > 0 { recordMissing(missing, at: position + lead + ready) }
  }

  private mutating func recordMissing(_ count: Int, at position: Int) {
    if track.hasEnded && !isFinished && waitingCount == 0 {
      run.isFinished = true
      events.append(.trackEnded(name))
    }
    // A track that has not started or has ended misses nothing.
    guard track.hasStarted, !isFinished, !track.hasEnded else { return }
    gaps.add(
      at: position, count: count,
      cause: track.absence ?? (pace == .mix ? .programLate : .unexplained))
  }

  private func appendSilence(_ count: Int, into output: inout [Float]) {
    output.append(contentsOf: repeatElement(0, count: count * channelCount))
  }

  // MARK: - Control

  /// Pauses or resumes at the capture time `pauseTime`, at which the leader does the same; nil if
  /// their times cannot be compared.
  mutating func pause(_ isPaused: Bool, at time: Int64, from pauseTime: Int64?) {
    if let pauseTime, nextTime != nil {
      track.pause(isPaused, at: time, from: pauseTime)
    } else {
      // The pause omits another period than the pause of the leader.
      if track.isToBePaused != isPaused { run.needsRealignment = true }
      track.pause(isPaused, at: time)
    }
    work(at: 0)
  }

  /// Ends the track at this time because the recording ends, with the mix at `position`.
  mutating func end(at time: Int64?, _ position: Int) {
    if isFinished || track.hasEnded { return }
    track.end(at: time)
    work(at: position)
  }

  /// Starts contributing to the mix at a position; returns whether a signal was restarted.
  @discardableResult
  mutating func start(at position: Int) -> Bool {
    if isPlaying && !isFinished {
      // A signal with a later start begins now.
      if framesUntilStart(at: position) > 0 { offset = position }
      return false
    }
    isPlaying = true
    if pace == .clock {
      // The track stays silent, so report the reason again.
      if let failure = run.failure { fail(failure) }
      return false
    }
    offset = position
    guard let source else { return false }
    source.stop()
    let sink = CaptureSink()
    do throws(DeviceError) {
      try source.start(sink)
      self.sink = sink
      var effects = track.effects
      effects.restart()
      track = Self.track(configuration, pace, effects: effects)
      run = Run()
      return true
    } catch {
      fail(.capture(error))
      return false
    }
  }

  /// Stops contributing to the mix; a signal also ends.
  mutating func stop() {
    isPlaying = false
    if pace == .mix { source?.stop() }
  }
}
