/// A description of an option for the parser, help and completions.
struct OptionDescription: Sendable {
  /// The kind of the option's value, so that a shell can complete it.
  enum Value: Sendable {
    /// The option is a flag.
    case none
    /// Free text with this name.
    case text(String)
    case file(String)
    case folder(String)
    /// The name or ID of a device.
    case device(String)
    /// One of these words.
    case choice([String])
  }

  let long: String
  var short: Character? = nil
  /// A second one-letter name, known from other programs.
  var alias: Character? = nil
  let value: Value
  /// The heading under which help lists the option.
  var section = ""
  /// The explanation, whose first sentence is enough for the short help.
  let help: String
  /// The explanations of the words to choose from, each on its own line of help; empty if they need
  /// none.
  var meanings: [String] = []
  /// The values of a flag in the previous version, with their replacements.
  var formerValues: [String: String] = [:]

  /// The one-letter names.
  var shorts: [Character] { [short, alias].compactMap(\.self) }

  var takesValue: Bool {
    if case .none = value { false } else { true }
  }

  /// The name of the value in help, such as `RATE` or `m4a|aac`.
  var valueName: String {
    switch value {
    case .none: ""
    case .text(let name), .file(let name), .folder(let name), .device(let name): name
    case .choice(let words): words.joined(separator: "|")
    }
  }
}

/// A description of a subcommand for help and completions.
struct CommandDescription: Sendable {
  /// The kind of the operands, so that a shell can complete them.
  enum Operands: Sendable {
    case none
    /// Files and folders, under this name in the usage line.
    case files(String)
    /// Words to choose from, under this name in the usage line.
    case choice(String, [String])
  }

  let name: String
  let summary: String
  let operands: Operands
  /// Paragraphs between the usage line and the options.
  var discussion: [String] = []
  var options: [OptionDescription] = []
  /// The long names of the options in the short help, in its order; empty for all options.
  var essentials: [String] = []
  /// Example command lines with their purposes; the first three are in the short help.
  var examples: [(command: String, purpose: String)] = []
  var exitCodes: [(code: String, meaning: String)] = []
  /// Hints for options of other programs that have another meaning here.
  ///
  /// They take precedence over `ForeignOption.all`.
  var hints: [(option: String, hint: String)] = []

  /// The options in the short help.
  var essentialOptions: [OptionDescription] {
    if essentials.isEmpty { return options }
    return (essentials + ["help"]).compactMap { name in options.first { $0.long == name } }
  }

  /// The headings of the options in order, each with its options.
  var sections: [(title: String, options: [OptionDescription])] {
    var titles: [String] = []
    for option in options where !titles.contains(option.section) { titles.append(option.section) }
    return titles.map { title in (title, options.filter { $0.section == title }) }
  }

  var operandUsage: String {
    switch operands {
    case .none: ""
    case .files(let name), .choice(let name, _): name
    }
  }
}

extension OptionDescription {
  /// The option that every command has, handled by the parser itself.
  static let help = OptionDescription(
    long: "help", short: "h", value: .none, section: "Other", help: "Show the most used options.")
}
