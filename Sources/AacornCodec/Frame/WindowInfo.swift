/// ics_info: the windows of a channel, their grouping, and how many bands are sent (ISO/IEC
/// 14496-3, table 4.6).
@frozen
public struct WindowInfo: Equatable, Sendable {
  /// The sequence of windows.
  public var sequence: WindowSequence = .onlyLong
  /// The shape of the right half.
  public var shape: WindowShape = .sine
  /// Bands sent in each group (max_sfb).
  public var bandsPerGroup = 0
  /// Number of window groups; 1 for a long window.
  public var groupCount = 1
  /// Windows in each group.
  public var groupLengths: SIMD8<UInt8> = SIMD8(1, 0, 0, 0, 0, 0, 0, 0)
  /// Whether the reserved bit, which must be zero, is set.
  public var hasReservedBit = false

  /// One long window without bands.
  public init() {}

  /// Whether there are eight short windows.
  public var isShort: Bool { sequence == .eightShort }
}
