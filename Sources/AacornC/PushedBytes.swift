/// The bytes of a file or a stream that have been pushed and may still be wanted.
struct PushedBytes {
  private var bytes: [UInt8] = []
  /// Where they begin.
  private var offset: UInt64 = 0
  /// Whether there will be no more.
  var isFinished = false
  /// Whether those that were read may be wanted again.
  var keepsAll = false

  /// How many fewer are not worth the moving of all the others.
  private static let pieceLength = 1 << 16

  /// The place behind the last one.
  var end: UInt64 { offset + UInt64(bytes.count) }

  /// Adds bytes at the end.
  mutating func append(_ new: [UInt8]) { bytes += new }

  /// The bytes from `start` on, fewer than `count` only where there will be no more; nil if they
  /// have not come yet.
  mutating func take(_ start: UInt64, _ count: Int) -> [UInt8]? {
    let end = self.end
    // Those before it will not be wanted any longer.
    if !keepsAll { forget(upTo: min(start, end)) }
    let last = start + UInt64(count)
    if last > end, !isFinished { return nil }
    guard start >= offset, start < end else { return [] }
    let part = bytes[Int(start - offset)..<Int(min(last, end) - offset)]
    return Array(part)
  }

  private mutating func forget(upTo place: UInt64) {
    guard place > offset else { return }
    let count = Int(place - offset)
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: true)
    } else if count >= Self.pieceLength, count >= bytes.count / 2 {
      bytes.removeFirst(count)
    } else {
      return
    }
    offset = place
  }
}
