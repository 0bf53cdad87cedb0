/// A manual page in roff: the complete help of one command or of the whole program.
struct ManualPage {
  private var lines: [String]

  init(_ command: CommandDescription) {
    self.init(name: "aacorn-\(command.name)", summary: command.summary)
    let operands = Self.escaped(command.operandUsage)
    section("Synopsis")
    lines.append(
      "\\fBaacorn \(command.name)\\fR [\\fIoptions\\fR]"
        + (operands.isEmpty ? "" : " " + operands))
    section("Description")
    append(paragraphs: [command.summary] + command.discussion)
    section("Options")
    for section in command.sections {
      lines.append(".SS \(Self.escaped(section.title))")
      for option in section.options { append(option) }
    }
    append(command.examples)
    if !command.exitCodes.isEmpty { section("Exit status") }
    for code in command.exitCodes { append(term: Self.bold(code.code), [code.meaning]) }
    section("See also")
    lines.append(".BR aacorn (1)")
  }

  /// Creates the page of the program, which refers to the pages of its commands.
  init(
    summary: String, commands: [CommandDescription],
    examples: [(command: String, purpose: String)]
  ) {
    self.init(name: "aacorn", summary: summary)
    section("Synopsis")
    lines.append("\\fBaacorn\\fR \\fIcommand\\fR [\\fIoptions\\fR]")
    section("Description")
    append(paragraphs: [summary, "Each command has its own page."])
    section("Commands")
    for command in commands {
      let page = Self.escaped("aacorn-\(command.name)")
      lines += [".TP", ".BR \(page) (1)"] + Self.lines(command.summary)
    }
    section("Options")
    append(term: "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", ["Show help."])
    append(term: "\\fB\\-V\\fR, \\fB\\-\\-version\\fR", ["Show the version."])
    append(examples)
  }

  /// Creates the start of a page with a name such as `aacorn-record`.
  private init(name: String, summary: String) {
    // The date is set when the page is installed.
    lines = [
      ".TH \(name.uppercased()) 1 \"\" \"aacorn \(RootCommand.version)\" \"User Commands\"",
      ".SH NAME",
    ]
    // By convention, the summary starts with a small letter and ends without a period.
    let words = summary.hasSuffix(".") ? summary.dropLast() : summary[...]
    lines += Self.lines("\(name) - \(words.prefix(1).lowercased())\(words.dropFirst())")
  }

  /// The complete text, with a newline at the end.
  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func section(_ title: String) {
    lines.append(".SH \(title.uppercased())")
  }

  private mutating func append(paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { lines.append(".PP") }
      lines += Self.lines(paragraph)
    }
  }

  private mutating func append(_ option: OptionDescription) {
    let (label, meaning) = HelpText.row(option)
    let words = label.split(separator: " ").map(String.init).map { word in
      if word.hasSuffix(",") { return Self.bold(String(word.dropLast())) + "," }
      return word.hasPrefix("-")
        ? Self.bold(word) : "\\fI\(Self.escaped(word))\\fR"
    }
    append(term: words.joined(separator: " "), meaning)
  }

  /// Appends a term and its meaning, each paragraph on a new line.
  private mutating func append(term: String, _ meaning: [String]) {
    lines += [".TP", term]
    for (index, paragraph) in meaning.enumerated() {
      if index > 0 { lines.append(".br") }
      lines += Self.lines(paragraph)
    }
  }

  private mutating func append(_ examples: [(command: String, purpose: String)]) {
    guard !examples.isEmpty else { return }
    section("Examples")
    for example in examples { append(term: Self.bold(example.command), [example.purpose]) }
  }
}

// Text, escaped for the formatter.
extension ManualPage {
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
