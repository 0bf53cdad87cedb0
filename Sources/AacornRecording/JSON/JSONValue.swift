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
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
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
