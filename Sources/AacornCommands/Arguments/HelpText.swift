/// Lays out help for a terminal of 80 columns.
struct HelpText {
  static let width = 80
  private static let column = 27

  private var lines: [String] = []

  /// The help for one command.
  init(_ command: CommandDescription) {
    let operands = command.operandUsage.isEmpty ? "" : " " + command.operandUsage
    lines.append("Usage: aacorn \(command.name) [options]\(operands)")
    lines.append("")
    for paragraph in [command.summary] + command.discussion {
      lines += Self.wrapped(paragraph, width: Self.width)
      lines.append("")
    }
    appendOptions(of: command)
    appendExamples(command.examples)
    appendTable("Exit codes", command.exitCodes.map { ($0.code, [$0.meaning]) }, column: 17)
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// The help for the whole program.
  init(
    program: String, summary: String, commands: [CommandDescription],
    examples: [(command: String, purpose: String)]
  ) {
    lines.append("Usage: \(program) <command> [options]")
    lines.append("")
    lines += Self.wrapped(summary, width: Self.width)
    lines.append("")
    appendTable("Commands", commands.map { ($0.name, [$0.summary]) }, column: 16)
    appendTable(
      "Options",
      [("-h, --help", ["Show this help."]), ("--version", ["Show the version."])], column: 16)
    appendExamples(examples)
    lines.append("“\(program) help <command>” describes a command in full.")
  }

  /// The whole text, ending with a newline.
  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func appendOptions(of command: CommandDescription) {
    var sections: [String] = []
    for option in command.options where !sections.contains(option.section) {
      sections.append(option.section)
    }
    for section in sections {
      let options = command.options.filter { $0.section == section }
      appendTable(section, options.map(Self.row), column: Self.column)
    }
  }

  private mutating func appendExamples(_ examples: [(command: String, purpose: String)]) {
    guard !examples.isEmpty else { return }
    lines.append("Examples:")
    for example in examples {
      lines.append("  " + example.command)
      lines += Self.wrapped(example.purpose, width: Self.width - 6).map { "      " + $0 }
    }
    lines.append("")
  }

  /// Appends labels and what stands beside them, in paragraphs.
  private mutating func appendTable(_ title: String, _ rows: [(String, [String])], column: Int) {
    guard !rows.isEmpty else { return }
    lines.append(title + ":")
    for (label, paragraphs) in rows {
      let start = "  " + label
      var wrapped = paragraphs.flatMap { Self.wrapped($0, width: Self.width - column) }[...]
      if start.count + 2 <= column, let first = wrapped.popFirst() {
        lines.append(start + String(repeating: " ", count: column - start.count) + first)
      } else {
        lines.append(start)
      }
      let indent = String(repeating: " ", count: column)
      lines += wrapped.map { indent + $0 }
    }
    lines.append("")
  }

  /// An option and its explanation in paragraphs; a long list of words to choose from goes into the
  /// latter.
  static func row(_ option: OptionDescription) -> (String, [String]) {
    let name = option.shorts.map { "-\($0), " }.joined() + "--" + option.long
    guard option.takesValue else { return (name, [option.help]) }
    if case .choice(let words) = option.value, option.valueName.count > 30 {
      let list = "Choose from: " + words.joined(separator: ", ") + "."
      return (
        name + " NAME",
        option.meanings.isEmpty ? [option.help + " " + list] : [option.help] + option.meanings
      )
    }
    return (name + " " + option.valueName, [option.help])
  }

  /// Breaks `text` between words into lines of at most `width` characters.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
