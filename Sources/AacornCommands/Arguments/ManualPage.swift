/// The manual page, in the language of `man`: what help tells, of all commands.
struct ManualPage {
  let program: String
  let version: String
  let summary: String
  let commands: [CommandDescription]

  /// The whole text, ending with a newline.
  var text: String {
    var lines = [
      ".TH \(program.uppercased()) 1 \"\" \"\(program) \(version)\" \"User Commands\"",
      ".SH NAME", Self.line("\(program) - \(Self.withoutPeriod(summary))"),
      ".SH SYNOPSIS", ".B \(program)", ".I command", Self.line("[options]"),
      ".SH DESCRIPTION", Self.line(summary), ".SH COMMANDS",
    ]
    for command in commands { lines += Self.section(command) }
    lines += [".SH OPTIONS"]
    lines += Self.entry("-h, --help", ["Show help."])
    lines += Self.entry("-V, --version", ["Show the version."])
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ command: CommandDescription) -> [String] {
    let operands = command.operandUsage.isEmpty ? "" : " " + command.operandUsage
    let usage = "aacorn \(command.name) [options]\(operands)"
    var lines = [".SS \(escaped(command.name))", ".B \(escaped(usage))"]
    for paragraph in [command.summary] + command.discussion {
      lines += [".PP", line(paragraph)]
    }
    var sections: [String] = []
    for option in command.options where !sections.contains(option.section) {
      sections.append(option.section)
    }
    for section in sections {
      lines += heading(section)
      for option in command.options where option.section == section {
        let (label, paragraphs) = HelpText.row(option)
        lines += entry(label, paragraphs)
      }
    }
    if !command.examples.isEmpty { lines += heading("Examples") }
    for example in command.examples { lines += entry(example.command, [example.purpose]) }
    if !command.exitCodes.isEmpty { lines += heading("Exit codes") }
    for code in command.exitCodes { lines += entry(code.code, [code.meaning]) }
    return lines
  }

  private static func heading(_ title: String) -> [String] { [".PP", ".I \(escaped(title))"] }

  /// A term, in bold, and what it means, which the formatter makes one paragraph.
  private static func entry(_ term: String, _ meaning: [String]) -> [String] {
    [".TP", ".B \(escaped(term))"] + meaning.map(line)
  }

  private static func withoutPeriod(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// A line of text, which must not begin like a request.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Text with nothing in it that means something to the formatter, or that it cannot print.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "“": result += "\\(lq"
      case "”": result += "\\(rq"
      case "…": result += "..."
      default: result.append(character)
      }
    }
    return result
  }
}
