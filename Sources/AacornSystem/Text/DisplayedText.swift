/// Foreign text made fit to be printed: control characters cannot steer the terminal, and nothing
/// in it is unseen.
///
/// File names and tags come from elsewhere and may hold anything, escape sequences included.
package func displayed(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  func escape(_ scalar: Unicode.Scalar) -> String { "\\x\(hexadecimal(scalar.value, digits: 2))" }
  var result = ""
  for scalar in text.replacingUnseen(escape).unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: result += escape(scalar)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A number in hexadecimal with zeros in front.
package func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

extension String {
  /// Whether there is something in it that is not seen itself, or turns the direction of writing,
  /// so that it can be made to look like another text.
  ///
  /// That is what Unicode calls ignorable: marks of direction, joiners and spaces without width,
  /// tags, fillers. Selectors of variants are not among it, since they change what is seen, nor
  /// are joiners between pictures, which make one picture of two.
  package var hasUnseen: Bool {
    let scalars = Array(unicodeScalars)
    return scalars.indices.contains { Self.isUnseen(scalars, $0) }
  }

  /// The text with something else in the place of all that is not seen.
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

  /// Digits and some signs have variants that are pictures, too.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && scalar.value > 0xFF
  }
}
