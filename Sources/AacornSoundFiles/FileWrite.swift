/// Bytes and their position in a file.
public struct FileWrite: Equatable, Sendable {
  /// The position of the bytes, counted from the start of the file.
  public let offset: UInt64
  /// The bytes.
  public let bytes: [UInt8]
  /// Whether earlier writes must be on disk before these bytes are written.
  ///
  /// The bytes of such a write make earlier writes valid. Without this order, a power failure could
  /// leave these bytes on disk without the earlier ones.
  public let needsSync: Bool

  /// Creates a write at a position in the file.
  public init(offset: UInt64, bytes: [UInt8], needsSync: Bool = false) {
    self.offset = offset
    self.bytes = bytes
    self.needsSync = needsSync
  }

  /// Writes the bytes to a file in memory; fills a gap after its end with zeros.
  package func apply(to file: inout [UInt8]) {
    let start = Int(offset)
    let end = start + bytes.count
    if end > file.count { file += [UInt8](repeating: 0, count: end - file.count) }
    file.replaceSubrange(start..<end, with: bytes)
  }
}

extension Array {
  /// Appends a range of a file, or extends the last range if this one follows it directly.
  @inlinable
  package mutating func append<Bound>(joining range: Range<Bound>) where Element == Range<Bound> {
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
