/// Text of a manual page, in which nothing means anything to the formatter.
enum ManualText {
  /// Signs that the formatter would take for something else, or print differently.
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

  /// Short lines of a paragraph, of which each sentence begins one, as the formatter wants it to tell
  /// the end of a sentence from that of an abbreviation; none begins like a request.
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
