/// Converts untrusted text to one harmless line.
///
/// A line break in a title could end a header and begin another one (RFC 9110, 5.5). Control
/// characters in a server's text could control the terminal that displays it.
package enum SanitizedLine {
  /// Returns the text with one space for each run of spaces, line breaks and control characters.
  package static func of(_ text: String, limit: Int = .max) -> String {
    var line = String.UnicodeScalarView()
    var needsSpace = false
    for scalar in text.unicodeScalars {
      if !isVisible(scalar) {
        needsSpace = !line.isEmpty
        continue
      }
      if needsSpace { line.append(" ") }
      needsSpace = false
      line.append(scalar)
      if line.count >= limit {
        line.append("…")
        break
      }
    }
    return String(line)
  }

  /// Returns the text in the body of an HTML page, without tags and comments.
  package static func ofPage(_ page: String) -> String {
    var page = Substring(page)
    guard page.contains("<") else { return of(String(page)) }
    if let body = page.firstRange(of: "<body") { page = page[body.lowerBound...] }
    var text = ""
    while let start = page.firstIndex(of: "<") {
      text += page[..<start] + " "
      let end = page[start...].firstIndex(of: ">").map(page.index(after:)) ?? page.endIndex
      page = page[end...]
    }
    return of(text + page)
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
      .unassigned:
      false
    default: true
    }
  }
}
