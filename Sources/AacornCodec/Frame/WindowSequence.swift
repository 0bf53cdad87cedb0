/// The windows of a frame's transform (ISO/IEC 14496-3, table 4.109).
public enum WindowSequence: UInt8, Equatable, Sendable {
  /// One long window.
  case onlyLong = 0
  /// One long window that ends in a short slope.
  case longStart = 1
  /// Eight short windows.
  case eightShort = 2
  /// One long window that begins with a short slope.
  case longStop = 3

  /// Whether the frame's right slope is short.
  public var hasShortRightSlope: Bool { self == .longStart || self == .eightShort }

  /// Whether the frame's left slope is short.
  public var hasShortLeftSlope: Bool { self == .longStop || self == .eightShort }

  /// Returns whether the slope at this sequence's end matches the slope at the start of `next`.
  ///
  /// Both must be long or both short, so that aliasing cancels. Decoders overlap and add all
  /// windows the same way, matching or not (4.6.11.3.3).
  public func mayPrecede(_ next: WindowSequence) -> Bool {
    hasShortRightSlope == next.hasShortLeftSlope
  }
}
