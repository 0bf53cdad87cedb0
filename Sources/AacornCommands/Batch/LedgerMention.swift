import AacornSystem

/// That a line of some ledgers is about an output.
struct LedgerMention: NumberedRecord {
  /// The number of the output.
  let number: UInt64
  /// When the line was over.
  let ended: Int
  /// The number of the line among those of all ledgers.
  let line: Int

  init(_ number: UInt64, ended: Int, line: Int) {
    self.number = number
    self.ended = ended
    self.line = line
  }

  /// Sorts those of an output together, the one that counts last.
  static func < (one: LedgerMention, other: LedgerMention) -> Bool {
    (one.number, one.ended, one.line) < (other.number, other.ended, other.line)
  }

  // MARK: In a pile

  static let byteCount = 24

  func write(to bytes: inout [UInt8]) {
    bytes.append(number: number)
    bytes.append(number: UInt64(ended))
    bytes.append(number: UInt64(line))
  }

  init(written bytes: ArraySlice<UInt8>) {
    self.init(
      bytes.number(0), ended: Int(truncatingIfNeeded: bytes.number(1)),
      line: Int(truncatingIfNeeded: bytes.number(2)))
  }

  /// Leaves the line that counts.
  static func reduce(_ mentions: inout [LedgerMention]) {
    mentions.keepLast { $0.number == $1.number }
  }
}

extension Array {
  /// Leaves of equal neighbors the last one.
  mutating func keepLast(_ areEqual: (Element, Element) -> Bool) {
    var kept = 0
    for element in self {
      if kept > 0, areEqual(self[kept - 1], element) { kept -= 1 }
      self[kept] = element
      kept += 1
    }
    removeLast(count - kept)
  }
}
