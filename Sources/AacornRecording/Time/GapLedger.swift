/// All stretches of device time whose audio is not in a recording.
///
/// It is bounded: should a device stutter for days, the oldest entries beyond the limit are counted
/// but not kept; they were reported and written when they arose.
public struct GapLedger: Sendable, Equatable {
  /// The entries, oldest first.
  public private(set) var gaps: [RecordingGap] = []
  /// Entries that are no longer kept.
  public private(set) var forgottenCount = 0
  /// Entries for lost audio, filled with silence; pauses do not count.
  public private(set) var filledCount = 0
  /// Samples of silence in place of lost audio; where several tracks are silent at the same time,
  /// those of each count.
  public private(set) var filledSampleCount = 0
  /// Samples left out in pauses.
  public private(set) var pausedSampleCount = 0

  static let limit = 10_000

  /// Creates an empty ledger.
  public init() {}

  /// How many entries there have been.
  public var count: Int { gaps.count + forgottenCount }

  mutating func append(_ gap: RecordingGap) {
    if gap.isFilled {
      filledCount += 1
      filledSampleCount += gap.length
    }
    if gap.cause == .paused { pausedSampleCount += gap.length }
    gaps.append(gap)
    if gaps.count > Self.limit {
      gaps.removeFirst(Self.limit / 10)
      forgottenCount += Self.limit / 10
    }
  }
}
