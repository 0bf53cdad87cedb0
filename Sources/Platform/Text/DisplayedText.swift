/// Foreign text made fit to be printed: control characters cannot steer the terminal, and nothing
/// in it is unseen.
///
/// File names and tags come from elsewhere and may hold anything, escape sequences included.
package func displayed(_ text: String) -> String {
  if text.unicodeScalars.allSatisfy(isPrintable) { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if isPrintable(scalar) {
      result.append(scalar)
    } else {
      result.append(contentsOf: "\\x\(hexadecimal(scalar.value, digits: 2))".unicodeScalars)
    }
  }
  return String(result)
}

/// A number in hexadecimal with zeros in front.
package func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: false
  default: !scalar.isDeceptive
  }
}

extension Unicode.Scalar {
  /// Whether it is not seen itself, or turns the direction of writing, so that one name can be made
  /// to look like another.
  ///
  /// Those are what Unicode calls ignorable: marks of direction, joiners and spaces without width,
  /// tags, fillers. Selectors of variants are not among them, since they change what is seen.
  package var isDeceptive: Bool {
    properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
  }
}
