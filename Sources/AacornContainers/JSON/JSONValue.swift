/// A JSON value whose members keep the order in which they were added.
///
/// Texts are compared and written as bytes: a browser's module lacks the tables of Unicode.
package enum JSONValue {
  case null
  case flag(Bool)
  /// An integer; see `integer`.
  case whole(Int64)
  /// A number with a fixed number of decimals.
  case decimal(Double, Int)
  case text(String)
  case list([JSONValue])
  case object([Member])

  /// A named value in an object.
  package struct Member {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Returns the number, limited to 64 bits.
  package static func integer(_ value: some BinaryInteger) -> JSONValue {
    .whole(Int64(clamping: value))
  }

  /// Returns the number, or null if there is none.
  package static func optional(_ value: (some BinaryInteger)?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }

  /// Returns the number with a fixed number of decimals, or null if there is none.
  package static func optional(_ value: Double?, _ decimals: Int) -> JSONValue {
    value.map { .decimal($0, decimals) } ?? .null
  }

  /// Returns the text, or null if there is none.
  package static func optional(_ value: String?) -> JSONValue {
    value.map { .text($0) } ?? .null
  }

  /// Returns a text known at compile time.
  package static func word(_ word: StaticString) -> JSONValue { .text(word.description) }

  /// Returns a text known at compile time, or null if there is none.
  package static func optional(_ word: StaticString?) -> JSONValue {
    word.map { .word($0) } ?? .null
  }

  /// Returns a level in a logarithmic unit, or null if there is none.
  ///
  /// Silence is −∞, which JSON cannot represent, so its value is null as well.
  package static func level(_ value: Float?) -> JSONValue {
    .optional(value.map { Double($0) }, 2)
  }

  /// The first member of an object with a name; nil if there is none.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { Array($0.name.utf8) == Array(name.utf8) }?.value
  }

  package var text: String? { if case .text(let value) = self { value } else { nil } }
  package var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  package var integer: Int? {
    if case .whole(let value) = self { Int(exactly: value) } else { nil }
  }

  /// The number, whether it is an integer or not.
  package var number: Double? {
    switch self {
    case .whole(let value): Double(value)
    case .decimal(let value, _): value
    default: nil
    }
  }

  /// The value as text.
  package var encoded: String { String(decoding: bytes, as: UTF8.self) }

  /// The value as UTF-8 text.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(text: "null")
    case .flag(let value): bytes.append(text: value ? "true" : "false")
    case .whole(let value): bytes.append(number: value)
    case .decimal(let value, let decimals): Self.write(value, decimals, to: &bytes)
    case .text(let value): Self.write(value, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Writes a number rounded half away from zero; null for infinity and NaN, which JSON lacks, and
  /// for numbers too large for exact decimals.
  private static func write(_ value: Double, _ decimals: Int, to bytes: inout [UInt8]) {
    let magnitude = value.magnitude
    guard magnitude < 1e15 else { return bytes.append(text: "null") }
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    // Scale the fraction without the integer part, so that it keeps all its digits.
    let whole = Int64(magnitude)
    let scaled = (magnitude - Double(whole)) * Double(scale)
    // Rounding functions belong to the C library.
    let lower = Int64(scaled)
    let rounded = lower + (scaled - Double(lower) < 0.5 ? 0 : 1)
    let (units, fraction) = (whole + rounded / scale, rounded % scale)
    if value < 0 && (units, fraction) != (0, 0) { bytes.append(UInt8(ascii: "-")) }
    bytes.append(number: units)
    if decimals == 0 { return }
    // The digits of the fraction after a leading 1, which becomes the point.
    let point = bytes.count
    bytes.append(number: scale + fraction)
    bytes[point] = UInt8(ascii: ".")
  }

  private static func write(_ value: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let text = Array(value.utf8)
    var index = 0
    while index < text.count {
      let first = text[index]
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      let character = text[index..<index + length]
      index += length
      var scalar = UInt32(length == 1 ? first : first & 0x7F >> UInt8(length))
      for byte in character.dropFirst() { scalar = scalar << 6 | UInt32(byte & 0x3F) }
      switch scalar {
      case 0x22: bytes.append(text: "\\\"")
      case 0x5C: bytes.append(text: "\\\\")
      case 0x0A: bytes.append(text: "\\n")
      case 0x0D: bytes.append(text: "\\r")
      case 0x09: bytes.append(text: "\\t")
      // Control characters steer a terminal, and the others reverse the direction of the line.
      case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069:
        bytes.append(text: "\\u")
        for shift in [12, 8, 4, 0] as [UInt32] {
          let digit = UInt8(truncatingIfNeeded: scalar >> shift & 15)
          bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
      // A private-use character that represents a byte of a file name that is not UTF-8.
      case 0x10_FE80...0x10_FEFF: bytes.append(text: "\u{FFFD}")
      default: bytes += character
      }
    }
    bytes.append(UInt8(ascii: "\""))
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

extension [UInt8] {
  /// Appends a text known at compile time.
  package mutating func append(text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends an integer in decimal.
  package mutating func append(number: some BinaryInteger) {
    var rest = Int64(clamping: number).magnitude
    if number < 0 { append(UInt8(ascii: "-")) }
    let first = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[first...].reverse()
  }
}
