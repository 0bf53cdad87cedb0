/// All periods of device time whose audio is not in a recording.
///
/// The number of entries is limited. If a device stutters for days, the oldest entries beyond the
/// limit are counted but not kept; they have been reported and written.
public struct GapLedger: Sendable, Equatable {
  /// The entries, oldest first.
  public private(set) var gaps: [RecordingGap] = []
  /// The number of entries that were dropped.
  public private(set) var droppedCount = 0
  /// The number of gaps with lost audio, which is replaced by silence; pauses do not count.
  public private(set) var filledCount = 0
  /// Samples of silence in place of lost audio.
  ///
  /// If several tracks are silent at the same time, each counts.
  public private(set) var filledSampleCount = 0
  /// Samples omitted in pauses.
  public private(set) var pausedSampleCount = 0

  static let limit = 10_000

  /// Creates an empty ledger.
  public init() {}

  /// The number of entries, including dropped ones.
  public var count: Int { gaps.count + droppedCount }

  mutating func append(_ gap: RecordingGap) {
    if gap.isFilled {
      filledCount += 1
      filledSampleCount += gap.length
    }
    if gap.cause == .paused { pausedSampleCount += gap.length }
    gaps.append(gap)
    if gaps.count > Self.limit {
      gaps.removeFirst(Self.limit / 10)
      droppedCount += Self.limit / 10
    }
  }
}
