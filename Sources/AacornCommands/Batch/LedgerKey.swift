import AacornRecording
import AacornSystem

/// The output and the end time of a ledger line, enough to choose the line that counts.
///
/// Parsing millions of lines completely would take many times as long.
struct LedgerKey: Equatable {
  let output: String
  /// The end of the work, as in `LedgerEntry.endedNumber`.
  let endedNumber: Int

  /// Parses a line; nil if `LedgerEntry` cannot parse it either.
  init?(_ bytes: ArraySlice<UInt8>) {
    if let key = Self.scan(bytes) {
      self = key
    } else if let entry = LedgerEntry(bytes) {
      self.init(output: entry.output, endedNumber: entry.endedNumber)
    } else {
      return nil
    }
  }

  private init(output: String, endedNumber: Int) {
    self.output = output
    self.endedNumber = endedNumber
  }

  /// Scans a line in the typical form of a run's entries; nil if the line needs the full parser.
  static func scan(_ bytes: ArraySlice<UInt8>) -> LedgerKey? {
    var scanner = LedgerScanner(bytes)
    guard let (output, ended) = scanner.members() else { return nil }
    return LedgerKey(
      output: String(decoding: output, as: UTF8.self),
      endedNumber: LedgerEntry.endedNumber(ended))
  }
}

/// A scanner of objects with only strings, unsigned numbers and literals; other values fail.
private struct LedgerScanner {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  /// Returns the values of “output” and “ended”, if `LedgerEntry` would accept the line.
  mutating func members() -> (output: ArraySlice<UInt8>, ended: ArraySlice<UInt8>)? {
    var output: ArraySlice<UInt8> = []
    var ended: ArraySlice<UInt8> = []
    var hasOutcome = false
    guard take("{") else { return nil }
    repeat {
      // A non-ASCII name may equal one of our names as text, but not as bytes.
      guard let name = text(), Self.isUnescaped(name), name.allSatisfy({ $0 < 0x80 }), take(":")
      else { return nil }
      if next == UInt8(ascii: "\"") {
        guard let value = text() else { return nil }
        if Self.isEqual(name, "output") {
          guard Self.isUnescaped(value) else { return nil }
          output = value
        } else if Self.isEqual(name, "ended") {
          guard Self.isUnescaped(value) else { return nil }
          ended = value
        } else if Self.isEqual(name, "status") {
          guard Self.isOutcome(value) else { return nil }
          hasOutcome = true
        } else if Self.isEqual(name, "outputHex") {
          return nil
        }
      } else if !takeNumber(name), !takeWord("null"), !takeWord("true"), !takeWord("false") {
        return nil
      }
    } while take(",")
    guard take("}"), index == bytes.endIndex, hasOutcome, !output.isEmpty else { return nil }
    return (output, ended)
  }

  private static func isEqual(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
    bytes.count == word.utf8.count && bytes.elementsEqual(word.utf8)
  }

  /// Returns whether a string has no escapes.
  private static func isUnescaped(_ text: ArraySlice<UInt8>) -> Bool {
    !text.contains(UInt8(ascii: "\\"))
  }

  private static func isOutcome(_ bytes: ArraySlice<UInt8>) -> Bool {
    isEqual(bytes, "done") || isEqual(bytes, "failed") || isEqual(bytes, "postponed")
      || isEqual(bytes, "damaged")
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard bytes[index...].starts(with: word.utf8) else { return false }
    index += word.utf8.count
    return true
  }

  /// Returns the bytes between the quotation marks, if their escapes are valid.
  private mutating func text() -> ArraySlice<UInt8>? {
    guard take("\"") else { return nil }
    let start = index
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        index += 1
        return bytes[start..<index - 1]
      }
      if byte < 0x20 { return nil }
      index += 1
      if byte == UInt8(ascii: "\\"), !takeEscape() { return nil }
    }
    return nil
  }

  private mutating func takeEscape() -> Bool {
    guard let byte = next else { return false }
    index += 1
    if byte != UInt8(ascii: "u") { return "\"\\/bfnrt".utf8.contains(byte) }
    let digits = bytes[index...].prefix(4)
    index += digits.count
    return digits.count == 4
      && digits.allSatisfy { digit in
        (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit | 0x20)
      }
  }

  /// Skips a number, if it is in the range of its member.
  private mutating func takeNumber(_ name: ArraySlice<UInt8>) -> Bool {
    let digits = takeDigits()
    if Self.isEqual(name, "elapsed") {
      return (1...11).contains(digits.count) && (!take(".") || (1...9).contains(takeDigits().count))
    }
    if Self.isEqual(name, "attempts") {
      let count = digits.prefix(5).reduce(0) { $0 * 10 + Int($1 - 0x30) }
      return digits.count <= 4 && (1...1000).contains(count)
    }
    let isTime = Self.isEqual(name, "inputTime") || Self.isEqual(name, "outputTime")
    return (1...(isTime ? 19 : 15)).contains(digits.count)
  }

  private mutating func takeDigits() -> ArraySlice<UInt8> {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
    return bytes[start..<index]
  }
}
