import AacornInspection

/// A writer of JSON, from front to back.
///
/// Embedded Swift cannot use the other writer, `JSONValue`. This one accepts only static strings
/// and bytes, because `String` would enlarge the download for browsers.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  /// Whether a comma must precede the next member or element.
  private var needsComma = false

  mutating func object(_ content: (inout JSONText) -> Void) {
    enclose("{", "}", content)
  }

  mutating func list(_ content: (inout JSONText) -> Void) {
    enclose("[", "]", content)
  }

  private mutating func enclose(
    _ opening: StaticString, _ closing: StaticString, _ content: (inout JSONText) -> Void
  ) {
    separate()
    bytes.append(text: opening)
    needsComma = false
    content(&self)
    bytes.append(text: closing)
    needsComma = true
  }

  /// Writes a member's name; its value must follow.
  mutating func name(_ name: StaticString) {
    separate()
    bytes.append(text: "\"")
    bytes.append(text: name)
    bytes.append(text: "\":")
    needsComma = false
  }

  @inline(never)
  mutating func member(_ name: StaticString, _ value: Int64) {
    self.name(name)
    number(value)
  }

  mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

  mutating func number(_ value: Int64) {
    separate()
    bytes.append(number: value)
    needsComma = true
  }

  /// Writes true, false or null.
  mutating func literal(_ word: StaticString) {
    separate()
    bytes.append(text: word)
    needsComma = true
  }

  mutating func flag(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes a string that needs no escapes.
  mutating func word(_ word: StaticString) {
    separate()
    bytes.append(text: "\"")
    bytes.append(text: word)
    bytes.append(text: "\"")
    needsComma = true
  }

  /// Writes a UTF-8 string, or null.
  mutating func text(_ text: [UInt8]?) {
    guard let text else { return literal("null") }
    separate()
    bytes.append(text: "\"")
    for byte in text {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      } else if byte < 0x20 || byte == 0x7F {
        bytes.append(text: "\\u00")
        for digit in [byte >> 4, byte & 15] {
          bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(text: "\"")
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}
