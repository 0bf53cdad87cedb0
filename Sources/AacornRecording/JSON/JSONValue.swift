import AacornSystem

/// A JSON value whose members keep the order in which they were added.
package indirect enum JSONValue: Equatable {
  case null
  case flag(Bool)
  case integer(Int)
  /// A number with a fixed number of decimals.
  case decimal(Double, Int)
  case text(String)
  case list([JSONValue])
  case object([Member])

  /// A named value in an object.
  package struct Member: Equatable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Returns the number, or null if there is none.
  package static func optional(_ value: Int?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }

  /// Returns the text, or null if there is none.
  package static func optional(_ value: String?) -> JSONValue {
    value.map { .text($0) } ?? .null
  }

  /// The first member of an object with a name; nil if there is none.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var text: String? { if case .text(let value) = self { value } else { nil } }
  package var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  /// The number, whether it is an integer or not.
  package var number: Double? {
    if case .decimal(let value, _) = self { value } else { integer.map { Double($0) } }
  }

  package var encoded: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .flag(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .decimal(let value, let decimals):
      // JSON has no infinity and no NaN.
      let digits = QuantityText.fixed(value, decimals: decimals)
      text += digits == "?" ? "null" : digits
    case .text(let value): Self.write(value, to: &text)
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Control characters steer a terminal, and some others reverse the direction of the line.
      case _
      where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || scalar.value > 0x600 && scalar.properties.isBidiControl:
        text += "\\u" + hexadecimal(scalar.value, digits: 4)
      // This private-use character represents a byte of a file name that is not UTF-8, so replace
      // it.
      case _ where PathText.rawByte(scalar) != nil: text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Creates an object.
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }

  /// Returns an object with the members of two objects.
  package static func + (first: JSONValue, second: JSONValue) -> JSONValue {
    guard case .object(let members) = first, case .object(let others) = second else {
      preconditionFailure("Only objects have members.")
    }
    return .object(members + others)
  }
}

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
