/// The pushed bytes of a file or a stream that the reader may still request.
struct PushedBytes {
  private var bytes: [UInt8] = []
  /// The file offset of the first stored byte.
  private var offset: UInt64 = 0
  var isFinished = false
  /// Whether the reader may request bytes again, so that all bytes stay in memory.
  var keepsAll = false

  /// The minimum number of bytes to remove from the start: a removal moves all other bytes.
  private static let pieceLength = 1 << 16

  /// The file offset after the last stored byte.
  var end: UInt64 { offset + UInt64(bytes.count) }

  mutating func append(_ new: [UInt8]) { bytes += new }

  /// Returns `count` bytes from `start` on, or nil if they have not been pushed yet.
  ///
  /// Returns fewer bytes only at the end of the input. Discards all bytes before `start` unless
  /// `keepsAll` is set.
  mutating func read(_ start: UInt64, _ count: Int) -> [UInt8]? {
    let end = self.end
    // A stream is read forward only.
    if !keepsAll { discard(upTo: min(start, end)) }
    let last = start + UInt64(count)
    if last > end, !isFinished { return nil }
    guard start >= offset, start < end else { return [] }
    let part = bytes[Int(start - offset)..<Int(min(last, end) - offset)]
    return Array(part)
  }

  private mutating func discard(upTo newOffset: UInt64) {
    guard newOffset > offset else { return }
    let count = Int(newOffset - offset)
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: true)
    } else if count >= Self.pieceLength, count >= bytes.count / 2 {
      bytes.removeFirst(count)
    } else {
      return
    }
    offset = newOffset
  }
}
