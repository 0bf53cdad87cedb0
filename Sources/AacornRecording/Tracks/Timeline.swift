import AacornDevices

/// Detects jumps of the device's time without samples.
///
/// Sources report most losses themselves (`lostFrameCount`). Other losses are visible only in the
/// block times: a block is later than the preceding frames imply. A single late time may be jitter.
/// So blocks are held until a tenth of a second of them agrees. Then silence of the exact length is
/// inserted before the first held block, where the samples are missing.
struct Timeline {
  /// The decision about a block.
  enum BlockDecision: Equatable {
    /// Use it now, after this many lost frames.
    case pass(lost: Int, RecordingGap.Cause)
    /// Hold it until a decision about a later block.
    case hold
    /// Use the held blocks and then this one, all after this many lost frames.
    case release(lost: Int, RecordingGap.Cause)
    /// Use the held blocks and then this one; they have this many frames more than the elapsed
    /// time.
    ///
    /// The excess frames repeat recorded time after a change of the device, or are of unknown
    /// origin.
    case surplus(Int, isRepeated: Bool)
  }

  private(set) var clock: DeviceClock?
  /// The reason why blocks may be late, if the source has announced one.
  private var announced: RecordingGap.Cause?
  /// The remaining validity of the announcement, in seconds of blocks, because a server updates its
  /// times slowly.
  private var remainingAnnouncement = 0.0
  /// Frames of silence inserted since the last block.
  ///
  /// The source may report the same frames as lost again.
  private var filledCount = 0
  /// Whether the next blocks must continue at their own time, because silence of an estimated
  /// length precedes them.
  private var isReturning = false
  /// The delay of each held block, in seconds; nil for a block with an unreliable time.
  private var held: [(error: Double?, frameCount: Int)] = []

  /// Seconds of agreement that confirm a loss.
  private static let confirmationSeconds = 0.1
  /// The validity of an announcement, in seconds: servers update their times rarely.
  private static let announcementSeconds = 5.0
  /// Seconds after which the median is used if the blocks disagree.
  private static let decisionTimeoutSeconds = 1.0

  /// The distance from the prediction, in seconds, from which a block is held.
  private var tolerance: Double { min(0.05, max(0.012, 6 * (clock?.jitter ?? 0))) }

  /// The tolerance after an announced loss, in seconds.
  private var announcedTolerance: Double { max(0.004, 2 * (clock?.jitter ?? 0)) }

  /// The error in seconds up to which a block is used at once.
  private var limit: Double {
    // The silence ends at an arbitrary time, and even a small error would remain in the recording.
    if isReturning { return clock.map { 0.5 / Double($0.sampleRate) } ?? 0 }
    let limit = announced != nil ? announcedTolerance : tolerance
    return held.isEmpty ? limit : limit / 2
  }

  /// Announces that the next block may be late, and why.
  mutating func expectLoss(_ cause: RecordingGap.Cause) {
    announced = cause
    remainingAnnouncement = Self.announcementSeconds
  }

  /// Counts the frames of silence needed to reach `time` while the device is missing.
  mutating func frames(until time: Int64) -> Int {
    guard let clock else { return 0 }
    let count = Int(Double(time - clock.nextTime) * 1e-9 * Double(clock.sampleRate))
    guard count > 0 else { return 0 }
    self.clock?.advance(by: count)
    filledCount += count
    isReturning = true
    return count
  }

  /// Counts frames that are known to be lost.
  mutating func skip(_ frameCount: Int) {
    clock?.advance(by: frameCount)
  }

  /// Returns the decision about the next block; subtracts already filled frames from its losses.
  mutating func accept(_ block: inout CaptureBlock) -> BlockDecision {
    // The device may return with another rate.
    let ratio = Double(block.sampleRate) / Double(clock?.sampleRate ?? block.sampleRate)
    let filled = Int((Double(filledCount) * ratio).rounded())
    block.lostFrameCount -= min(block.lostFrameCount, filled)
    filledCount = 0
    let frames = block.frameCount
    guard var clock else {
      self.clock = DeviceClock(sampleRate: block.sampleRate, time: block.time)
      self.clock?.advance(by: frames)
      announced = nil
      return .pass(lost: 0, .unexplained)
    }
    if clock.sampleRate != block.sampleRate {
      // The new rate begins where the old one is expected to end.
      clock = DeviceClock(sampleRate: block.sampleRate, time: clock.nextTime)
      if announced == nil { expectLoss(.formatChange) }
    }
    // Losses known to the source need no detection.
    clock.advance(by: block.lostFrameCount)
    defer { self.clock = clock }

    let error = clock.error(of: block.time)
    if block.isTimeReliable && abs(error) <= limit {
      // The time is as predicted, or the held blocks were a false alarm.
      clock.advance(by: frames, at: block.time)
      remainingAnnouncement -= Double(frames) / Double(clock.sampleRate)
      if remainingAnnouncement <= 0 { announced = nil }
      return finish(lost: 0, .unexplained)
    }
    held.append((block.isTimeReliable ? error : nil, frames))
    clock.advance(by: frames)
    guard let late = confirmedDelay(at: clock.sampleRate) else { return .hold }
    held.removeLast()
    let lost = Int((late * Double(clock.sampleRate)).rounded())
    clock.shift(by: late)
    let cause = announced ?? .unexplained
    let isAnnounced = announced != nil
    // Keep the announcement after a small correction, which may precede the announced loss.
    if abs(late) > tolerance { announced = nil }
    if lost < 0 {
      held.removeAll(keepingCapacity: true)
      defer { isReturning = false }
      return .surplus(-lost, isRepeated: isAnnounced || isReturning)
    }
    return finish(lost: lost, cause)
  }

  /// Returns the delay of the held blocks in seconds; nil until enough blocks agree or the decision
  /// times out.
  private func confirmedDelay(at rate: Int) -> Double? {
    let errors = held.compactMap(\.error).sorted()
    let all = Double(held.reduce(0) { $0 + $1.frameCount }) / Double(rate)
    guard let first = errors.first, let last = errors.last else {
      return all > 3 * Self.decisionTimeoutSeconds ? 0 : nil
    }
    let seconds =
      Double(held.reduce(0) { $0 + ($1.error == nil ? 0 : $1.frameCount) }) / Double(rate)
    let isConfirmed =
      errors.count >= 3 && seconds >= Self.confirmationSeconds && last - first < tolerance
    return isConfirmed || all > Self.decisionTimeoutSeconds ? errors[errors.count / 2] : nil
  }

  private mutating func finish(lost: Int, _ cause: RecordingGap.Cause) -> BlockDecision {
    let wasHolding = !held.isEmpty
    held.removeAll(keepingCapacity: true)
    isReturning = false
    return wasHolding ? .release(lost: lost, cause) : .pass(lost: lost, cause)
  }

  /// Stops holding blocks, because no more blocks arrive; returns the frames lost before the held
  /// ones.
  mutating func finish() -> (lost: Int, cause: RecordingGap.Cause) {
    guard let clock, !held.isEmpty else { return (0, .unexplained) }
    let errors = held.compactMap(\.error).sorted()
    let late = errors.isEmpty ? 0 : errors[errors.count / 2]
    let cause = announced ?? .unexplained
    held.removeAll()
    announced = nil
    isReturning = false
    guard late > tolerance || (cause != .unexplained && late > 0) else { return (0, cause) }
    self.clock?.shift(by: late)
    return (Int((late * Double(clock.sampleRate)).rounded()), cause)
  }
}
