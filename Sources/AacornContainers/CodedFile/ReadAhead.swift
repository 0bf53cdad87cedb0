/// The part of a file that is in memory, and the part that is wanted next.
///
/// What was read but not used stays, so that wanted bytes never lie before those already read unless
/// a request goes back itself.
struct ReadAhead: Sendable {
  private var bytes: [UInt8] = []
  /// Where they begin.
  private(set) var offset: UInt64 = 0
  /// The length of the file, as far as it is known.
  private(set) var fileEnd: UInt64?
  /// What is to be supplied next.
  private(set) var wanted: (offset: UInt64, count: Int)?

  /// Nothing of a file of this length.
  init(byteCount: UInt64?) {
    fileEnd = byteCount.map { min($0, 1 << 62) }
  }

  private var end: UInt64 { offset + UInt64(bytes.count) }

  /// Whether these bytes are there, as far as the file has them.
  func holds(_ start: UInt64, count: Int) -> Bool {
    let range = range(start, count)
    return range.isEmpty || range.lowerBound >= offset && range.upperBound <= end
  }

  /// Like `holds`; if they are not there, wants them, and `ahead` bytes in all if that is more.
  ///
  /// All other bytes may be forgotten then. Offsets are at most 2⁶².
  mutating func request(_ start: UInt64, count: Int, ahead: Int) -> Bool {
    if holds(start, count: count) { return true }
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

  /// Takes the wanted bytes; fewer mean that the file ends there.
  mutating func supply(_ new: [UInt8]) {
    guard let wanted else { return }
    self.wanted = nil
    bytes += new.prefix(wanted.count)
    if new.count < wanted.count { fileEnd = end }
  }

  /// Wants nothing any longer.
  mutating func cancel() { wanted = nil }

  /// The bytes from `start` on that are there, at most `count`.
  func copy(_ start: UInt64, count: Int = .max) -> [UInt8] {
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
