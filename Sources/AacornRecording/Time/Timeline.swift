import AacornDevices

/// Finds out where device time went on without samples.
///
/// Sources say most of it themselves (`lostFrameCount`). What nobody says shows only in the times
/// of blocks: they go on later than the frames before them account for. A single late time may be
/// jitter, so blocks are held until a tenth of a second of them agree; then silence of the right
/// length goes in front of the first, where the samples are missing.
struct Timeline {
  /// What to do with a block.
  enum Verdict: Equatable {
    /// Use it now, after so many lost frames.
    case pass(lost: Int, Gap.Cause)
    /// Keep it until the verdict on a later one.
    case hold
    /// Use those that were kept and then this one, all after so many lost frames.
    case release(lost: Int, Gap.Cause)
    /// The same, but so many frames more came than time has passed: those of another device, of
    /// moments that are recorded already, or nobody knows why.
    case surplus(Int, isRepeated: Bool)
  }

  private(set) var clock: DeviceClock?
  /// Why blocks may be late, when the source has said so.
  private var announced: Gap.Cause?
  /// Seconds of blocks for which that is believed: a server's times need a while to follow.
  private var announcementLeft = 0.0
  /// Frames of silence since the last block, which its source may count as lost once more.
  private var filledCount = 0
  /// How late the held blocks are, in seconds; nil for those with an unreliable time.
  private var held: [(error: Double?, frameCount: Int)] = []

  /// Seconds of agreement that make a standstill believable.
  private static let proof = 0.1
  /// Seconds for which an announcement counts: servers report their times now and then only.
  private static let announcement = 5.0
  /// Seconds after which the middle of what disagrees is taken.
  private static let patience = 1.0

  /// Blocks at this distance from the prediction, in seconds, raise a suspicion.
  private var tolerance: Double { min(0.05, max(0.012, 6 * (clock?.jitter ?? 0))) }

  /// The distance that raises it where a loss was announced.
  private var announcedTolerance: Double { max(0.004, 2 * (clock?.jitter ?? 0)) }

  /// Tells that what comes next may come late, and why.
  mutating func expectLoss(_ cause: Gap.Cause) {
    announced = cause
    announcementLeft = Self.announcement
  }

  /// Frames of silence that bring the timeline up to `time` while the device is away.
  mutating func frames(until time: Int64) -> Int {
    guard let clock else { return 0 }
    let count = Int(Double(time - clock.nextTime) * 1e-9 * Double(clock.sampleRate))
    guard count > 0 else { return 0 }
    self.clock?.advance(by: count)
    filledCount += count
    return count
  }

  /// Counts frames that are lost for certain.
  mutating func skip(_ frameCount: Int) {
    clock?.advance(by: frameCount)
  }

  /// What to do with the next block, which no longer counts as lost what was filled already.
  mutating func accept(_ block: inout CaptureBlock) -> Verdict {
    block.lostFrameCount -= min(block.lostFrameCount, filledCount)
    filledCount = 0
    let frames = block.frameCount
    guard var clock else {
      self.clock = DeviceClock(sampleRate: block.sampleRate, time: block.time)
      self.clock?.advance(by: frames)
      announced = nil
      return .pass(lost: 0, .unexplained)
    }
    if clock.sampleRate != block.sampleRate {
      // Another rate begins where the old one is expected to end.
      clock = DeviceClock(sampleRate: block.sampleRate, time: clock.nextTime)
      if announced == nil { expectLoss(.formatChange) }
    }
    // What the source knows to be lost needs no finding out.
    clock.advance(by: block.lostFrameCount)
    defer { self.clock = clock }

    let error = clock.error(of: block.time)
    let limit = announced != nil ? announcedTolerance : tolerance
    if block.isTimeReliable && abs(error) <= (held.isEmpty ? limit : limit / 2) {
      // As expected, or a false alarm.
      clock.advance(by: frames, at: block.time)
      announcementLeft -= Double(frames) / Double(clock.sampleRate)
      if announcementLeft <= 0 { announced = nil }
      return finish(lost: 0, .unexplained)
    }
    held.append((block.isTimeReliable ? error : nil, frames))
    clock.advance(by: frames)
    guard let late = settled(at: clock.sampleRate) else { return .hold }
    held.removeLast()
    let lost = Int((late * Double(clock.sampleRate)).rounded())
    clock.shift(by: late)
    let cause = announced ?? .unexplained
    let isAnnounced = announced != nil
    // A small correction may come first, and what was announced after it.
    if abs(late) > tolerance { announced = nil }
    if lost < 0 {
      held.removeAll(keepingCapacity: true)
      return .surplus(-lost, isRepeated: isAnnounced)
    }
    return finish(lost: lost, cause)
  }

  /// How late the held blocks are, once that is certain.
  private func settled(at rate: Int) -> Double? {
    let errors = held.compactMap(\.error).sorted()
    let all = Double(held.reduce(0) { $0 + $1.frameCount }) / Double(rate)
    guard let first = errors.first, let last = errors.last else {
      return all > 3 * Self.patience ? 0 : nil
    }
    let seconds =
      Double(held.reduce(0) { $0 + ($1.error == nil ? 0 : $1.frameCount) }) / Double(rate)
    let isAgreed = errors.count >= 3 && seconds >= Self.proof && last - first < tolerance
    return isAgreed || all > Self.patience ? errors[errors.count / 2] : nil
  }

  private mutating func finish(lost: Int, _ cause: Gap.Cause) -> Verdict {
    let wasHolding = !held.isEmpty
    held.removeAll(keepingCapacity: true)
    return wasHolding ? .release(lost: lost, cause) : .pass(lost: lost, cause)
  }

  /// Ends the holding because no more blocks come; frames lost before those that are held.
  mutating func finish() -> (lost: Int, cause: Gap.Cause) {
    guard let clock, !held.isEmpty else { return (0, .unexplained) }
    let errors = held.compactMap(\.error).sorted()
    let late = errors.isEmpty ? 0 : errors[errors.count / 2]
    let cause = announced ?? .unexplained
    held.removeAll()
    announced = nil
    guard late > tolerance || (cause != .unexplained && late > 0) else { return (0, cause) }
    self.clock?.shift(by: late)
    return (Int((late * Double(clock.sampleRate)).rounded()), cause)
  }
}
