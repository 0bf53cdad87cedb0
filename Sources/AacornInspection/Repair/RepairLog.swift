/// The parts of a damaged file that are missing from the repaired one: all are counted, and the
/// first ones are stored.
public struct RepairLog: Equatable, Sendable {
  /// The reason why a part was dropped.
  public enum Reason: Equatable, Sendable {
    /// Bytes that are not a frame.
    case garbage
    /// One or more truncated frames.
    case tornFrame
    /// A frame that cannot be read to its end, or contains no audio.
    case unreadableFrame
    /// A frame with a wrong checksum.
    case wrongChecksum
    /// A truncated tag.
    case tornTag
  }

  /// A dropped part.
  public struct Loss: Equatable, Sendable {
    /// The reason why the part was dropped.
    public var reason: Reason
    /// The offset of the part.
    public var offset: UInt64
    /// The length in bytes.
    public var length: UInt64

    package init(reason: Reason, offset: UInt64, length: UInt64) {
      self.reason = reason
      self.offset = offset
      self.length = length
    }
  }

  /// The maximum number of stored losses.
  public static let limit = 1000

  /// The first losses, at most `limit`.
  public private(set) var first: [Loss] = []
  /// The number of losses.
  public private(set) var count = 0
  /// The total length of all losses in bytes.
  public private(set) var byteCount: UInt64 = 0

  mutating func add(_ other: RepairLog) {
    count += other.count
    byteCount += other.byteCount
    first += other.first.prefix(max(0, Self.limit - first.count))
  }

  mutating func add(_ reason: Reason, _ range: Range<UInt64>) {
    if range.isEmpty { return }
    let length = range.upperBound - range.lowerBound
    count += 1
    byteCount += length
    if first.count < Self.limit {
      first.append(Loss(reason: reason, offset: range.lowerBound, length: length))
    }
  }
}
