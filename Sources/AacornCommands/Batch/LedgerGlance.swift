import AacornRecording
import AacornSystem

/// What it takes to choose among lines of a ledger: the output, and when it was over.
///
/// Of millions of lines nothing else is needed, and to take all of them apart costs many times as much.
struct LedgerGlance: Equatable {
  let output: String
  /// As `LedgerEntry.endedNumber` has it.
  let endedNumber: Int

  /// Reads a line; nil where `LedgerEntry` is nil.
  init?(_ bytes: ArraySlice<UInt8>) {
    if let glance = Self.scan(bytes) {
      self = glance
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

  /// Reads a line as runs mostly write it; nil if it needs to be taken apart as a whole.
  static func scan(_ bytes: ArraySlice<UInt8>) -> LedgerGlance? {
    var scanner = LedgerScanner(bytes)
    guard let (output, ended) = scanner.members() else { return nil }
    return LedgerGlance(
      output: String(decoding: output, as: UTF8.self),
      endedNumber: LedgerEntry.endedNumber(ended))
  }
}

/// Goes through an object of texts, plain numbers and words, and gives up at all else.
private struct LedgerScanner {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  /// The texts of “output” and “ended”, if the whole line is one that `LedgerEntry` reads.
  mutating func members() -> (output: ArraySlice<UInt8>, ended: ArraySlice<UInt8>)? {
    var output: ArraySlice<UInt8> = []
    var ended: ArraySlice<UInt8> = []
    var hasOutcome = false
    guard take("{") else { return nil }
    repeat {
      // Other letters might be equal to ours as texts, but not as bytes.
      guard let name = text(), Self.isPlain(name), name.allSatisfy({ $0 < 0x80 }), take(":")
      else { return nil }
      if next == UInt8(ascii: "\"") {
        guard let value = text() else { return nil }
        if Self.isEqual(name, "output") {
          guard Self.isPlain(value) else { return nil }
          output = value
        } else if Self.isEqual(name, "ended") {
          guard Self.isPlain(value) else { return nil }
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

  /// Whether a text stands for itself, without escapes.
  private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
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

  /// The bytes between the quotes, with valid escapes.
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

  /// Passes a number that is in range whatever it counts.
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
