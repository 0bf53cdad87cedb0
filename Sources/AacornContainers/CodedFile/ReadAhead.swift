/// A buffer of consecutive bytes of a file, and the pending request.
///
/// Unused bytes stay in the buffer. Requested bytes therefore never precede bytes already read,
/// unless the caller itself goes back.
package struct ReadAhead: Sendable {
  private var bytes: [UInt8] = []
  /// The file offset of the buffer.
  private(set) var offset: UInt64 = 0
  /// The length of the file in bytes, if known.
  private(set) var fileEnd: UInt64?
  package private(set) var wanted: (offset: UInt64, count: Int)?

  /// Creates an empty buffer for a file of `byteCount` bytes.
  package init(byteCount: UInt64?) {
    fileEnd = byteCount.map { min($0, 1 << 62) }
  }

  private var end: UInt64 { offset + UInt64(bytes.count) }

  /// Returns whether the buffer contains these bytes, as far as they are in the file.
  func contains(_ start: UInt64, count: Int) -> Bool {
    let range = range(start, count)
    return range.isEmpty || range.lowerBound >= offset && range.upperBound <= end
  }

  /// Returns whether the buffer contains these bytes.
  ///
  /// If not, requests them, and at least `ahead` bytes.
  ///
  /// A request may discard all other bytes. Offsets are at most 2⁶².
  package mutating func request(_ start: UInt64, count: Int, ahead: Int) -> Bool {
    if contains(start, count: count) { return true }
    let range = range(start, max(count, ahead))
    if range.lowerBound >= offset && range.lowerBound <= end {
      bytes.removeSubrange(0..<Int(range.lowerBound - offset))
    } else {
      bytes.removeAll(keepingCapacity: true)
    }
    offset = range.lowerBound
    wanted = (end, Int(range.upperBound - end))
    return false
  }

  /// Supplies the requested bytes; fewer mean that the file ends there.
  package mutating func supply(_ new: [UInt8]) {
    guard let wanted = wanted.take() else { return }
    bytes += new.prefix(wanted.count)
    if new.count < wanted.count { fileEnd = end }
  }

  mutating func cancel() { wanted = nil }

  /// Returns the available bytes from `start` on, at most `count`.
  package func copy(_ start: UInt64, count: Int = .max) -> [UInt8] {
    guard start >= offset, start < end else { return [] }
    let first = Int(start - offset)
    return Array(bytes[first..<first + min(count, bytes.count - first)])
  }

  private func range(_ start: UInt64, _ count: Int) -> Range<UInt64> {
    let limit = fileEnd ?? 1 << 63
    let start = min(start, limit)
    return start..<min(start + UInt64(count), limit)
  }
}
