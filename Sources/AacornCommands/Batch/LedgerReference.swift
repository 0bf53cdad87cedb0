import AacornSystem

/// A record of a ledger line about an output.
struct LedgerReference: NumberedRecord {
  /// The number of the output.
  let number: UInt64
  /// The end time of the line's work, as a number.
  let ended: Int
  /// The index of the line over all ledgers.
  let line: Int

  init(_ number: UInt64, ended: Int, line: Int) {
    self.number = number
    self.ended = ended
    self.line = line
  }

  /// Sorts records of an output together; the line that counts is the last of them.
  static func < (one: LedgerReference, other: LedgerReference) -> Bool {
    (one.number, one.ended, one.line) < (other.number, other.ended, other.line)
  }

  // MARK: In a spool

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

  /// Keeps the line that counts for each output.
  static func reduce(_ references: inout [LedgerReference]) {
    references.keepLast { $0.number == $1.number }
  }
}

extension Array {
  /// Keeps the last element of each run of equal neighbors.
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
