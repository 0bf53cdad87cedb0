/// Foreign text made fit to be printed: control characters cannot steer the terminal.
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
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0: false
  // Marks that turn the direction of writing can make one name look like another.
  case 0x202A...0x202E, 0x2066...0x2069: false
  default: true
  }
}
