/// Text of a manual page, escaped for the formatter.
enum ManualText {
  /// The characters that the formatter would interpret or print differently.
  private static let names: [Character: String] = [
    "\\": "\\e", "-": "\\-", "\"": "\\(dq", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    "“": "\\(lq", "”": "\\(rq", "…": "...",
  ]

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if let name = names[character] {
        result += name
      } else if character.isASCII {
        result.append(character)
      } else {
        for scalar in character.unicodeScalars {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
        }
      }
    }
    return result
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// Splits a paragraph into short lines.
  ///
  /// Each sentence begins a new line, which the formatter requires to detect the ends of sentences.
  /// A leading period is escaped, since it would start a request.
  static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    func end() {
      if !line.isEmpty { lines.append(line.hasPrefix(".") ? "\\&" + line : line) }
      line = ""
    }
    for word in text.split(separator: " ") {
      let escaped = escaped(String(word))
      if line.count + 1 + escaped.count > 78 { end() }
      line += line.isEmpty ? escaped : " " + escaped
      if word.last.map(".?!".contains) == true || word.hasSuffix(".)") || word.hasSuffix(".”") {
        end()
      }
    }
    end()
    return lines
  }
}
