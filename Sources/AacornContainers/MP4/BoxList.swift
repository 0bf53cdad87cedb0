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

/// The first bytes of a box: size and name (ISO/IEC 14496-12, 4.2).
struct BoxHeader {
  /// The length of the whole box in bytes; 0 means "to the end of the file".
  var size: UInt64 = 0
  var type = FourCharacterCode(rawValue: 0)
  /// The length of the header: 8, or 16 with a 64-bit size.
  var byteCount = 8
  /// Whether the header exists, and the size is 0 or at least covers the header.
  var isValid = false
  /// Whether the bytes are not a box but the zeros that end a list in QuickTime files.
  var isTerminator = false

  /// Reads the header at `start`, without bytes at `limit` or beyond.
  init(_ bytes: [UInt8], at start: Int, limit: Int) {
    guard limit - start >= 8 else {
      isTerminator = bytes[start..<limit].allSatisfy { $0 == 0 }
      return
    }
    size = bytes[start..<start + 4].number()
    type = FourCharacterCode(rawValue: UInt32(bytes[start + 4..<start + 8].number()))
    if size == 1 {
      guard limit - start >= 16 else { return }
      byteCount = 16
      size = bytes[start + 8..<start + 16].number()
      isValid = size >= 16
    } else {
      isTerminator = type.rawValue == 0 && (size == 0 || size == 8)
      isValid = size == 0 || size >= 8
    }
  }
}
