import AacornSystem

/// Reads JSON (RFC 8259) from untrusted sources with bounded depth.
package struct JSONReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// The maximum nesting depth, limited so that no text can exhaust the stack.
  private static let depthLimit = 16

  /// Parses a complete text; returns nil if it is invalid.
  package static func value(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
    var reader = JSONReader(bytes: bytes, index: bytes.startIndex)
    let value = reader.readValue(depth: 0)
    reader.skipBlanks()
    return reader.index == bytes.endIndex ? value : nil
  }

  private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
      index += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    let text = word.utf8
    guard bytes[index...].starts(with: text) else { return false }
    index += text.count
    return true
  }

  private mutating func readValue(depth: Int) -> JSONValue? {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return depth < Self.depthLimit ? readObject(depth: depth) : nil
    case UInt8(ascii: "["): return depth < Self.depthLimit ? readList(depth: depth) : nil
    case UInt8(ascii: "\""): return readText().map { .text($0) }
    case UInt8(ascii: "t"): return takeWord("true") ? .flag(true) : nil
    case UInt8(ascii: "f"): return takeWord("false") ? .flag(false) : nil
    case UInt8(ascii: "n"): return takeWord("null") ? .null : nil
    default: return readNumber()
    }
  }

  private mutating func readObject(depth: Int) -> JSONValue? {
    guard take("{") else { return nil }
    var members: [JSONValue.Member] = []
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      guard let name = readText(), take(":"),
        let value = readValue(depth: depth + 1)
      else { return nil }
      members.append(JSONValue.Member(name, value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func readList(depth: Int) -> JSONValue? {
    guard take("[") else { return nil }
    var values: [JSONValue] = []
    if take("]") { return .list([]) }
    repeat {
      guard let value = readValue(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(",")
    return take("]") ? .list(values) : nil
  }

  private mutating func readNumber() -> JSONValue? {
    let start = index
    while let byte = next, byte.isDigit || "+-.eE".utf8.contains(byte) {
      index += 1
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    // Swift also accepts numbers that begin with `+` or `.`, and JSON does not.
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isDigit
    else { return nil }
    if let integer = Int(text) { return .integer(integer) }
    return Double(text).map { .decimal($0, 6) }
  }

  private mutating func readText() -> String? {
    guard next == UInt8(ascii: "\"") else { return nil }
    index += 1
    var text: [UInt8] = []
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = readEscape() else { return nil }
        text += Array(String(Character(scalar)).utf8)
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func readEscape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let high = readUnit() else { return nil }
    guard (0xD800...0xDBFF).contains(high) else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    // Read the second half of a surrogate pair, because the first half alone is not a character.
    let start = index
    if takeWord("\\u"), let low = readUnit(), (0xDC00...0xDFFF).contains(low) {
      return Unicode.Scalar(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }
    index = start
    return "\u{FFFD}"
  }

  private mutating func readUnit() -> UInt32? {
    guard index + 4 <= bytes.endIndex else { return nil }
    let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
    guard digits.utf8.count == 4, digits.utf8.first != UInt8(ascii: "+"),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    index += 4
    return value
  }
}
