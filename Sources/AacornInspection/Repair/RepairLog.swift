/// The parts of a damaged file that are missing from the repaired one: all are counted, and the
/// first ones are kept.
public struct RepairLog: Equatable, Sendable {
  /// Why a part is left out.
  public enum Reason: Equatable, Sendable {
    /// It is not a frame.
    case garbage
    /// One or more frames that end too early.
    case tornFrame
    /// A frame that cannot be read to its end, or holds no audio.
    case unreadableFrame
    /// A frame with a wrong checksum.
    case wrongChecksum
    /// A tag that ends too early.
    case tornTag
  }

  /// A part that is left out.
  public struct Loss: Equatable, Sendable {
    /// Why.
    public var reason: Reason
    /// Its first byte.
    public var offset: UInt64
    /// Its length in bytes.
    public var length: UInt64

    package init(reason: Reason, offset: UInt64, length: UInt64) {
      self.reason = reason
      self.offset = offset
      self.length = length
    }
  }

  /// How many losses are kept.
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
