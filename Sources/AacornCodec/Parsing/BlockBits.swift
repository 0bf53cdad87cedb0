/// The bits of one raw_data_block, most significant first; past the end it reads zeros.
///
///     words   [ big-endian 32-bit words of the block | 0 | 0 ]
///
/// Two loads give any 32 bits, and the two words of padding make the load at the very end legal.
/// Positions count bits from the start of the block.
struct BlockBits: Sendable {
  private var words: [UInt32] = [0, 0]
  /// One past the last bit of the block.
  private(set) var endPosition = 0
  /// The next bit to be read; never beyond `endPosition`.
  private(set) var position = 0
  /// Whether something was read that is not there.
  private(set) var isOverrun = false

  /// Starts over with the bytes of another block.
  mutating func load(_ bytes: [UInt8], range: Range<Int>) {
    words.removeAll(keepingCapacity: true)
    words.reserveCapacity(range.count / 4 + 3)
    var index = range.lowerBound
    while index + 4 <= range.upperBound {
      words.append(
        UInt32(bytes[index]) &<< 24 | UInt32(bytes[index + 1]) &<< 16
          | UInt32(bytes[index + 2]) &<< 8 | UInt32(bytes[index + 3]))
      index += 4
    }
    var rest: UInt32 = 0
    var shift: UInt32 = 24
    while index < range.upperBound {
      rest |= UInt32(bytes[index]) &<< shift
      shift &-= 8
      index += 1
    }
    words.append(rest)
    words.append(0)
    endPosition = range.count * 8
    position = 0
    isOverrun = false
  }

  /// The next 32 bits.
  @inline(__always)
  func peek() -> UInt32 {
    let index = position &>> 5
    let pair = UInt64(words[index]) &<< 32 | UInt64(words[index &+ 1])
    return UInt32(truncatingIfNeeded: (pair &<< UInt64(position & 31)) &>> 32)
  }

  /// Moves on by `count` bits.
  @inline(__always)
  mutating func skip(_ count: Int) {
    position &+= count
    if position > endPosition {
      position = endPosition
      isOverrun = true
    }
  }

  /// Takes the next `count` bits, 0...31.
  @inline(__always)
  mutating func read(_ count: Int) -> Int {
    let value = Int(UInt64(peek()) &>> UInt64(32 &- count))
    skip(count)
    return value
  }

  /// Takes one bit as a flag.
  @inline(__always)
  mutating func readFlag() -> Bool { read(1) != 0 }

  /// Moves to `target`, backwards or forwards.
  mutating func seek(_ target: Int) {
    isOverrun = target > endPosition
    position = min(target, endPosition)
  }

  /// Moves to the next multiple of eight bits after the start of the block.
  mutating func alignToByte() {
    skip((8 - position & 7) & 7)
  }

  /// Takes one codeword of a table of `DecodingTables` and returns its entry.
  @inline(__always)
  mutating func readSymbol(_ table: [UInt32]) -> UInt32 {
    let next = peek()
    let entry = Self.symbol(next, table)
    skip(Int(entry & 31))
    return entry
  }

  /// The entry for the codeword at the top of `next`.
  @inline(__always)
  static func symbol(_ next: UInt32, _ table: [UInt32]) -> UInt32 {
    let entry = table[Int(next &>> 24)]
    if entry & 0x100 == 0 { return entry }
    let rest = (next &<< 8) &>> (32 &- entry & 31)
    return table[Int(entry &>> 16 &+ rest)]
  }
}
