import AacornContainers
import AacornInspection

/// A writer of JSON, from front to back.
///
/// Embedded Swift cannot use the other writer, `JSONValue`. This one accepts only static strings
/// and bytes, because `String` would enlarge the download for browsers.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  mutating func object(_ name: StaticString? = nil, _ content: (inout JSONText) -> Void) {
    enclose(name, "{", "}", content)
  }

  mutating func list(_ name: StaticString, _ content: (inout JSONText) -> Void) {
    enclose(name, "[", "]", content)
  }

  private mutating func enclose(
    _ name: StaticString?, _ opening: StaticString, _ closing: StaticString,
    _ content: (inout JSONText) -> Void
  ) {
    if let name { self.name(name) }
    separate()
    bytes.append(text: opening)
    content(&self)
    bytes.append(text: closing)
  }

  /// Writes a member's name; its value must follow.
  private mutating func name(_ name: StaticString) {
    separate()
    bytes.append(text: "\"")
    bytes.append(text: name)
    bytes.append(text: "\":")
  }

  @inline(never)
  mutating func member(_ name: StaticString, _ value: Int64) {
    self.name(name)
    number(value)
  }

  mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

  mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    bytes.append(text: value ? "true" : "false")
  }

  /// Writes a member with a string that needs no escapes, or null.
  @inline(never)
  mutating func member(_ name: StaticString, _ word: StaticString?) {
    guard let word else { return null(name) }
    self.name(name)
    bytes.append(text: "\"")
    bytes.append(text: word)
    bytes.append(text: "\"")
  }

  /// Writes a member with a UTF-8 string, or null.
  mutating func member(_ name: StaticString, _ text: [UInt8]?) {
    guard let text else { return null(name) }
    self.name(name)
    self.text(text)
  }

  mutating func null(_ name: StaticString) {
    self.name(name)
    bytes.append(text: "null")
  }

  mutating func number(_ value: Int64) {
    separate()
    bytes.append(number: value)
  }

  /// Writes a UTF-8 string.
  mutating func text(_ text: [UInt8]) {
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
  }

  /// Writes the comma after a previous member or element.
  private mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }
}
