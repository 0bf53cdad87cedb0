import AacornSystem

/// The layout of help for a terminal of 80 columns.
struct HelpText {
  static let width = 80
  private static let column = 27

  private var lines: [String] = []

  /// Creates the complete help of a command.
  init(_ command: CommandDescription) {
    appendUsage(of: command, [command.summary] + command.discussion)
    for section in command.sections {
      appendTable(section.title, section.options.map(Self.row), column: Self.column)
    }
    appendExamples(command.examples)
    appendTable("Exit codes", command.exitCodes.map { ($0.code, [$0.meaning]) }, column: 17)
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// Creates the short help of a command: the essential options in short form, and three examples.
  init(brief command: CommandDescription) {
    appendUsage(of: command, [command.summary])
    let rows = command.essentialOptions.map { option in
      (Self.name(of: option, option.short), [Self.firstSentence(option.help)])
    }
    appendTable("Options", rows, column: Self.column)
    appendExamples(Array(command.examples.prefix(3)))
    let all = command.essentials.isEmpty ? "explains the options in full" : "shows all options"
    lines.append("“aacorn help \(command.name)” \(all).")
  }

  /// Creates a list of tasks with their command lines.
  init(summary: String, tasks: [(command: String, purpose: String)], ending: [String]) {
    lines = Self.wrapped(summary, width: Self.width) + [""]
    for task in tasks { lines += ["  " + task.purpose, "      " + task.command] }
    lines.append("")
    lines += ending.flatMap { Self.wrapped($0, width: Self.width) }
  }

  /// Creates the help of the whole program.
  init(
    summary: String, commands: [CommandDescription],
    examples: [(command: String, purpose: String)]
  ) {
    lines = ["Usage: aacorn <command> [options]", ""]
    lines += Self.wrapped(summary, width: Self.width) + [""]
    appendTable("Commands", commands.map { ($0.name, [$0.summary]) }, column: 16)
    appendTable(
      "Options",
      [("-h, --help", ["Show this list."]), ("--version", ["Show the version."])], column: 16)
    appendExamples(examples)
    lines.append("“aacorn help <command>” shows all options of a command.")
  }

  /// The complete text, with a newline at the end.
  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func appendUsage(of command: CommandDescription, _ paragraphs: [String]) {
    let operands = command.operandUsage.isEmpty ? "" : " " + command.operandUsage
    lines += ["Usage: aacorn \(command.name) [options]\(operands)", ""]
    for paragraph in paragraphs { lines += Self.wrapped(paragraph, width: Self.width) + [""] }
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

  /// Appends a table of labels with explanations in paragraphs.
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

  /// Returns the label and the explanation of an option.
  ///
  /// A long list of choices is part of the explanation.
  static func row(_ option: OptionDescription) -> (String, [String]) {
    let label = name(of: option, option.short, option.alias)
    guard hasLongChoice(option), case .choice(let words) = option.value else {
      return (label, [option.help])
    }
    if !option.meanings.isEmpty { return (label, [option.help] + option.meanings) }
    return (label, [option.help + " Choose from: " + words.joined(separator: ", ") + "."])
  }

  /// Returns an option in the form of the command line: `-d, --duration TIME`.
  static func name(of option: OptionDescription, _ shorts: Character?...) -> String {
    let name = shorts.compactMap(\.self).map { "-\($0), " }.joined() + "--" + option.long
    if !option.takesValue { return name }
    return name + " " + (hasLongChoice(option) ? "NAME" : option.valueName)
  }

  /// Returns whether the list of choices is too long for a label.
  private static func hasLongChoice(_ option: OptionDescription) -> Bool {
    if case .choice = option.value { option.valueName.count > 30 } else { false }
  }

  static func firstSentence(_ text: String) -> String {
    var words: [Substring] = []
    for word in text.split(separator: " ") {
      words.append(word)
      if word.hasSuffix(".") || word.hasSuffix(".”") || word.hasSuffix(".)") { break }
    }
    return words.joined(separator: " ")
  }

  /// Breaks `text` between words into lines of at most `width` characters.
  static func wrapped(_ text: String, width: Int) -> [String] {
    wrapped(text.split(separator: " "), width: width)
  }

  /// Joins words into lines of at most `width` characters.
  static func wrapped(_ words: [some StringProtocol], width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words {
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
