/// Makes untrusted text safe to print, by escaping control characters, which could steer the
/// terminal, and invisible characters.
///
/// File names and tags are untrusted and may contain anything, including escape sequences.
package func displayed(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  func escape(_ scalar: Unicode.Scalar) -> String { "\\x\(hexadecimal(scalar.value, digits: 2))" }
  var result = ""
  for scalar in text.replacingUnseen(escape).unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: result += escape(scalar)
    default:
      // A terminal with another encoding than UTF-8 interprets these bytes of a file name as
      // control characters.
      if let byte = PathText.rawByte(scalar), byte < 0xA0 {
        result += "\\x\(hexadecimal(UInt32(byte), digits: 2))"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}

/// Returns a hexadecimal number padded with leading zeros.
package func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

extension String {
  /// Whether the text contains characters that are invisible or change the writing direction, so
  /// that it can imitate another text.
  ///
  /// These are the characters that Unicode calls ignorable: direction marks, zero-width joiners and
  /// spaces, tags, fillers. Variation selectors are not included, since they change the appearance.
  /// Joiners between emoji are not included either, since they combine two emoji.
  package var hasUnseen: Bool {
    let scalars = Array(unicodeScalars)
    return scalars.indices.contains { Self.isUnseen(scalars, $0) }
  }

  /// Returns the text with all invisible characters replaced.
  package func replacingUnseen(_ substitute: (Unicode.Scalar) -> String) -> String {
    let scalars = Array(unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      if Self.isUnseen(scalars, index) {
        result += substitute(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isUnseen(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    let properties = scalars[index].properties
    guard properties.isDefaultIgnorableCodePoint, !properties.isVariationSelector else {
      return false
    }
    let isJoiner = scalars[index] == "\u{200D}" && index > 0 && index + 1 < scalars.count
    guard isJoiner, isPicture(scalars[index + 1]) else { return true }
    let last = scalars[..<index].last { !$0.properties.isVariationSelector }
    return !(last.map(isPicture) ?? false)
  }

  /// Returns whether a character is an emoji; digits and symbols below U+0100, which have emoji
  /// variants, are not.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && scalar.value > 0xFF
  }
}

/// Joins texts for a message: “a”, “a and b” or “a, b and c”; `word` precedes the last text.
package func listed(_ texts: [String], _ word: String = "and") -> String {
  guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
  return "\(texts.dropLast().joined(separator: ", ")) \(word) \(last)"
}
