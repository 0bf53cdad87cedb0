import AacornDevices
import AacornSystem

extension SourceTrack {
  /// The maximum distance, in seconds, from a block to the time of a pause request.
  ///
  /// Beyond it, the times are not comparable, and the request is carried out immediately.
  private static let maxPauseDelaySeconds = 1.0
  /// Frames of silence that are created at a time.
  private static let silenceLength = 4096

  /// Does a piece of the work, which may add frames and events; returns false if there is no work.
  mutating func advance() throws(RecordingError) -> Bool {
    if work.isEmpty { return false }
    // Failed work is not repeated.
    let next = work.removeFirst()
    if effects.isEmpty {
      try perform(next)
      return true
    }
    // The effects process only the frames of this piece.
    var earlier: [Float] = []
    swap(&earlier, &frames)
    var failure: RecordingError?
    do throws(RecordingError) {
      try perform(next)
    } catch {
      failure = error
    }
    effects.process(&frames)
    if case .end = next { effects.finish(into: &frames) }
    earlier += frames
    swap(&earlier, &frames)
    if let failure { throw failure }
    return true
  }

  /// Flushes the effects, as if silence followed, and restarts them.
  mutating func finishEffects() { effects.finish(into: &frames) }

  private mutating func perform(_ next: Work) throws(RecordingError) {
    switch next {
    case .silence(let count, let rate, let cause, let wallTime):
      applyPauseRequests()
      let done = isPaused ? count : min(count, Self.silenceLength)
      appendSilence(done, sampleRate: rate, cause: cause, since: wallTime)
      if done < count {
        let rest = Work.silence(
          frameCount: count - done, sampleRate: rate, cause, wallTime: wallTime)
        work.insert(rest, at: 0)
        return
      }
      // Long gaps are reported in parts, so that a crash during a long absence leaves entries.
      if let gap = openGap, gap.length >= 60 * configuration.sampleRate { closeGap() }
    case .format(let block): try reconfigure(block)
    case .sound(let block, let samples): processAcrossPauses(block, samples)
    case .surplus(let count, let rate, let wallTime):
      events.append(
        .gap(
          RecordingGap(
            position: input.position, length: count * configuration.sampleRate / rate,
            cause: .surplus, wallTime: wallTime)))
    case .event(let event): events.append(event)
    case .endOfGap: closeGap()
    case .end:
      applyPauseRequests()
      if isPaused { pause(false, at: System.nanoseconds) }
      input.finish(into: &frames)
    }
  }

  private mutating func reconfigure(_ block: CaptureBlock) throws(RecordingError) {
    if input.hasFormat(of: block) { return }
    let isFirst = input.outputFrameCount == 0
    try input.prepare(for: block, into: &frames)
    if isFirst { return }
    events.append(
      .formatChanged(sampleRate: block.sampleRate, channelCount: block.channelCount))
  }

  private mutating func processAcrossPauses(_ block: CaptureBlock, _ samples: [Float]) {
    guard let request = pauseRequests.first else { return processBlock(block, samples) }
    let seconds = Double(request.pauseTime - block.time) * 1e-9
    let early = block.isTimeReliable && seconds < Self.maxPauseDelaySeconds ? seconds : 0
    let count = Int((max(0, early) * Double(block.sampleRate)).rounded())
    if count >= block.frameCount { return processBlock(block, samples) }
    var (first, rest) = (block, block)
    var samplesOfRest = samples
    omit(count, of: &rest, &samplesOfRest)
    first.frameCount = count
    if count > 0 { processBlock(first, Array(samples.prefix(count * block.channelCount))) }
    applyNextPauseRequest()
    // The next pause request may be in the same block.
    processAcrossPauses(rest, samplesOfRest)
  }

  private mutating func processBlock(_ block: CaptureBlock, _ samples: [Float]) {
    closeGap()
    anchor = (input.position, block.time)
    correctForWallClock(block)
    if isPaused {
      countPaused(block.frameCount, block.sampleRate)
    } else {
      input.process(samples, into: &frames)
      reportSignal()
    }
  }

  private mutating func reportSignal() {
    for change in input.signalChanges {
      let event = SignalEvent(
        change.problem, isActive: change.isActive, length: change.length, device: device)
      events.append(.signal(event))
    }
    input.signalChanges.removeAll()
  }

  private mutating func appendSilence(
    _ frameCount: Int, sampleRate: Int, cause: RecordingGap.Cause, since wallTime: Int64
  ) {
    if isPaused { return countPaused(frameCount, sampleRate) }
    if openGap?.cause != cause { closeGap() }
    if openGap == nil {
      openGap = RecordingGap(position: input.position, length: 0, cause: cause, wallTime: wallTime)
    }
    input.processSilence(frameCount: frameCount, into: &frames)
    if let start = openGap?.position { openGap?.length = input.position - start }
  }

  /// Reports the open gap, if there is one.
  mutating func closeGap() {
    guard let gap = openGap else { return }
    openGap = nil
    if gap.length > 0 { events.append(.gap(gap)) }
  }

  /// Reports the part of the open gap before a position; the gap stays open from there.
  mutating func cutGap(at position: Int) {
    guard let gap = openGap, gap.position < position else { return }
    openGap?.length = position - gap.position
    closeGap()
    openGap = gap.remainder(from: position, at: configuration.sampleRate)
  }

  private mutating func countPaused(_ frameCount: Int, _ rate: Int) {
    pausedCount += Int(
      (Double(frameCount) * Double(configuration.sampleRate) / Double(rate)).rounded())
  }

  /// Once a second, makes the recording's length follow the computer's clock.
  private mutating func correctForWallClock(_ block: CaptureBlock) {
    guard configuration.followsWallClock, let startTime, input.outputFrameCount >= nextCorrection
    else { return }
    nextCorrection = input.outputFrameCount + configuration.sampleRate
    let elapsed = Double(block.time - startTime) * 1e-9 * Double(configuration.sampleRate)
    let behind = elapsed - Double(input.outputFrameCount + pausedTotal)
    let drift = timeline.clock?.driftPartsPerMillion ?? 0
    // Lag is corrected over half a minute, too slowly to be audible.
    let correction = behind / Double(configuration.sampleRate) / 30 * 1e6
    input.stretch(partsPerMillion: min(max(correction - drift, -1000), 1000))
  }

  // MARK: - Control

  /// Pauses or resumes with the first frame that is captured at a time or later.
  ///
  /// Captured frames are processed in the order of their times, so tracks with the same time omit
  /// the same time.
  mutating func pause(_ isPaused: Bool, at time: Int64, from pauseTime: Int64) {
    if isPaused != isToBePaused { pauseRequests.append((isPaused, time, pauseTime)) }
  }

  /// Carries out all waiting pause requests.
  private mutating func applyPauseRequests() {
    while !pauseRequests.isEmpty { applyNextPauseRequest() }
  }

  /// Carries out the oldest pause request.
  private mutating func applyNextPauseRequest() {
    let request = pauseRequests.removeFirst()
    setPaused(request.isPaused, at: request.time)
  }

  /// Pauses or resumes with the next frame; cancels waiting pause requests.
  mutating func pause(_ isPaused: Bool, at time: Int64) {
    pauseRequests = []
    setPaused(isPaused, at: time)
  }

  private mutating func setPaused(_ isPaused: Bool, at time: Int64) {
    guard isPaused != self.isPaused else { return }
    self.isPaused = isPaused
    closeGap()
    if isPaused {
      pausedCount = 0
      pauseWallTime = time + wallOffset
    } else if pausedCount > 0 {
      pausedTotal += pausedCount
      events.append(
        .gap(
          RecordingGap(
            position: input.position, length: pausedCount, cause: .paused, wallTime: pauseWallTime
          )))
    }
    events.append(.paused(isPaused))
  }

  mutating func mute(_ isMuted: Bool) {
    guard isMuted != input.isMuted else { return }
    input.isMuted = isMuted
    events.append(.muted(isMuted))
  }
}

extension RecordingGap {
  func remainder(from position: Int, at sampleRate: Int) -> RecordingGap {
    let offset = position - self.position
    let seconds = Double(offset) / Double(sampleRate)
    return RecordingGap(
      position: position, length: max(0, length - offset), cause: cause,
      wallTime: wallTime + Int64(seconds * 1e9), track: track)
  }
}
