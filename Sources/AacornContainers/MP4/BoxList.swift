/// A box in memory.
struct Box {
  let type: FourCharacterCode
  /// The index of its header.
  let start: Int
  /// The range of its content, without the header.
  let content: Range<Int>
}

/// Steps through the boxes in a range of bytes.
///
/// Every step advances by at least a header, and boxes are entered only by name, so neither time
/// nor depth depends on the sizes that a damaged file claims.
struct BoxList {
  private let bytes: [UInt8]
  private let fileOffset: UInt64
  private var position: Int
  private let end: Int

  /// Creates a list of the boxes in `range` of bytes that start at `fileOffset` in their file.
  init(_ bytes: [UInt8], in range: Range<Int>, fileOffset: UInt64) {
    self.bytes = bytes
    self.fileOffset = fileOffset
    position = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next box, or nil at the end or if the bytes do not form a box.
  mutating func next(_ damage: inout DamageLog) -> Box? {
    let start = position
    let remaining = end - start
    // After each early return below, the list has ended.
    position = end
    if remaining == 0 { return nil }
    var header = BoxHeader(bytes, at: start, limit: end)
    // QuickTime ends some lists with a zero word or an unnamed empty box.
    if header.isTerminator { return nil }
    let offset = fileOffset + UInt64(start)
    guard header.isValid, header.size > 0 else {
      damage.add(.invalidBoxSize, offset: offset, length: UInt64(remaining))
      return nil
    }
    if header.size > UInt64(remaining) {
      damage.add(.boxExceedsParent, offset: offset, length: header.size)
      header.size = UInt64(remaining)
    }
    position = start + Int(header.size)
    return Box(type: header.type, start: start, content: start + header.byteCount..<position)
  }
}
