/// Every stretch of device time of which a recording does not hold the sound.
///
/// Kept bounded: should a device stutter for days, the oldest entries past the limit are counted,
/// not kept; they have been handed out and written down when they arose.
public struct GapLedger: Sendable, Equatable {
  /// The entries, oldest first.
  public private(set) var gaps: [Gap] = []
  /// Entries that are no longer kept.
  public private(set) var forgottenCount = 0
  /// Entries of lost sound, for which silence stands; a pause is none of them.
  public private(set) var filledCount = 0
  /// Samples of silence that stand for lost sound.
  public private(set) var filledSampleCount = 0
  /// Samples of pauses, for which nothing stands.
  public private(set) var pausedSampleCount = 0

  static let limit = 10_000

  /// An empty ledger.
  public init() {}

  /// How many entries there have been.
  public var count: Int { gaps.count + forgottenCount }

  mutating func append(_ gap: Gap) {
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
