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

  /// Parses a complete text; returns the text itself if it is invalid.
  package static func valueOrText(_ bytes: [UInt8]) -> JSONValue {
    value(bytes[...]) ?? .text(String(decoding: bytes, as: UTF8.self))
  }

  private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = next, Self.isBlank(byte) { index += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    return takeNext(character)
  }

  private mutating func takeNext(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    var text: [UInt8] = []
    text.append(text: word)
    guard bytes[index...].prefix(text.count) == text[...] else { return false }
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

  /// Reads a number: an integer if it has neither a fraction nor an exponent and fits.
  private mutating func readNumber() -> JSONValue? {
    let isNegative = takeNext("-")
    // The first digits, and the power of ten by which to multiply them.
    var (digits, exponent): (UInt64, Int) = (0, 0)
    guard readDigits(into: &digits, dropped: &exponent) > 0 else { return nil }
    var isInteger = exponent == 0
    if takeNext(".") {
      isInteger = false
      let count = readDigits(into: &digits, dropped: &exponent)
      exponent -= count
    }
    if takeNext("e") || takeNext("E") {
      isInteger = false
      let isSmall = takeNext("-")
      if !isSmall { _ = takeNext("+") }
      var (power, dropped): (UInt64, Int) = (0, 0)
      guard readDigits(into: &power, dropped: &dropped) > 0 else { return nil }
      // Beyond the range of numbers, the exponent no longer matters.
      let change = Int(min(power, 1 << 20))
      exponent += isSmall ? -change : change
    }
    if isInteger && isNegative && digits == Int64.min.magnitude { return .whole(.min) }
    if isInteger, let value = Int64(exactly: digits) {
      return .whole(isNegative ? -value : value)
    }
    var scale = 1.0
    for _ in 0..<min(exponent.magnitude, 308) { scale *= 10 }
    let value = exponent < 0 ? Double(digits) / scale : Double(digits) * scale
    return .decimal(isNegative ? -value : value, 6)
  }

  /// Appends decimal digits to a number until it is full, and counts the others in `dropped`.
  ///
  /// Returns the number of all digits.
  private mutating func readDigits(into number: inout UInt64, dropped: inout Int) -> Int {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) {
      index += 1
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.addingReportingOverflow(UInt64(byte & 15))
      if dropped > 0 || isTooLarge || overflow { dropped += 1 } else { number = sum }
    }
    return index - start
  }

  private mutating func readText() -> String? {
    guard takeNext("\"") else { return nil }
    var text: [UInt8] = []
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = readEscape() else { return nil }
        text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
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

  /// Reads four hexadecimal digits.
  private mutating func readUnit() -> UInt32? {
    guard index + 4 <= bytes.endIndex else { return nil }
    var value: UInt32 = 0
    for byte in bytes[index..<index + 4] {
      let letter = byte | 0x20
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte & 15)
      case _ where (0x61...0x66).contains(letter): value = value << 4 | UInt32(letter - 0x57)
      default: return nil
      }
    }
    index += 4
    return value
  }
}

extension JSONReader {
  /// Returns the ranges of an array's elements in a text; empty if the text is not an array.
  ///
  /// MP4 files store gap entries in such an array. The recorder defines their content.
  ///
  /// If the text is truncated, returns the elements before the last comma.
  ///
  /// Only brackets, commas and quotation marks matter, so the time is linear in the length of the
  /// text. Nesting is counted without recursion, so deep nesting cannot overflow the stack.
  package static func elements(of text: ArraySlice<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    // The first and last bytes of an element that are not whitespace.
    var first: Int?
    var last = 0
    for index in text.indices {
      let byte = text[index]
      let isBlank = isBlank(byte)
      var isOutside = false
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          isOutside = depth == 1
          if isOutside && byte != UInt8(ascii: "[") { return [] }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          isOutside = depth == 0
        case UInt8(ascii: ","): isOutside = depth == 1
        default: break
        }
      }
      // Only whitespace may precede the array.
      if depth == 0 && !isOutside && !isBlank { return [] }
      if isOutside {
        if let start = first { ranges.append(start..<last + 1) }
        first = nil
        if depth == 0 { return ranges }
      } else if !isBlank || isInString {
        if first == nil { first = index }
        last = index
      }
    }
    return ranges
  }
}
