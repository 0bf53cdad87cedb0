import AacornSystem

/// The table that defines a command's parser, help and completions.
struct CommandSyntax<Command: Sendable>: Sendable {
  /// Stores a value (empty for a flag) in the command, or throws if it is invalid.
  typealias Action = @Sendable (inout Command, String) throws(UsageError) -> Void

  struct Option: Sendable {
    var description: OptionDescription
    let action: Action
  }

  /// Options under a heading of help.
  typealias Section = (title: String, options: [Option])

  let description: CommandDescription
  let sections: [Section]
  let options: [Option]
  let operand: Action

  init(
    _ description: CommandDescription, options sections: [Section], operand: @escaping Action
  ) {
    self.sections = sections
    options = sections.flatMap { section in
      section.options.map { option in
        var option = option
        option.description.section = section.title
        return option
      }
    }
    var description = description
    description.options = options.map(\.description) + [.help]
    self.description = description
    self.operand = operand
  }

  /// Returns the option with a long name.
  func option(named name: String) -> Option? { options.first { $0.description.long == name } }

  /// Creates the syntax of a command without operands; `hint` follows the error about an operand.
  init(_ description: CommandDescription, options: [Section], operandHint hint: String) {
    self.init(description, options: options) { (command, operand) throws(UsageError) in
      throw UsageError(
        "The command has no operands, but “\(displayed(operand))” was given.", hint: hint)
    }
  }

  /// Creates the syntax of a command whose operands are the names of its inputs.
  init(_ description: CommandDescription, options: [Section], inputs: Option.Property<[String]>) {
    self.init(description, options: options) { (command, operand) throws(UsageError) in
      try reject(if: operand.isEmpty, "An input has an empty name.")
      command[keyPath: inputs].append(operand)
    }
  }
}

extension CommandSyntax.Option {
  /// Returns an option with a value, which `action` stores.
  static func value(
    _ long: String, short: Character? = nil, alias: Character? = nil,
    _ value: OptionDescription.Value, _ help: String, action: @escaping CommandSyntax.Action
  ) -> Self {
    Self(
      description: OptionDescription(
        long: long, short: short, alias: alias, value: value, help: help),
      action: action)
  }

  /// Returns an option whose value is stored as parsed; `parse` receives the value and the option's
  /// name for messages.
  static func value<Value>(
    _ long: String, short: Character? = nil, alias: Character? = nil,
    _ value: OptionDescription.Value, _ help: String,
    _ property: Property<Value>, _ parse: @escaping Parser<Value>
  ) -> Self {
    .value(long, short: short, alias: alias, value, help) { (command, value) throws(UsageError) in
      command[keyPath: property] = try parse(value, "--" + long)
    }
  }

  typealias Property<Value> = any WritableKeyPath<Command, Value> & Sendable
  /// Parses a value; the second argument is the option's name for messages.
  typealias Parser<Value> = @Sendable (String, String) throws(UsageError) -> Value

  /// Returns an option whose value is stored unchanged.
  static func value(
    _ long: String, _ value: OptionDescription.Value, _ help: String, _ property: Property<String?>
  ) -> Self {
    .value(long, value, help) { $0[keyPath: property] = $1 }
  }

  /// Returns an option whose value is the keyword of one of `choices`.
  static func choice<Value: RawRepresentable<String> & Sendable>(
    _ long: String, _ choices: [Value], _ help: String, _ property: Property<Value?>
  ) -> Self {
    .value(long, .choice(choices.map(\.rawValue)), help) {
      $0[keyPath: property] = Value(rawValue: $1)
    }
  }

  /// Returns an option for a file or folder; `noun` names it in the message about an empty name.
  static func path(
    _ long: String, short: Character? = nil, _ value: OptionDescription.Value, _ help: String,
    _ noun: String, _ property: Property<String?>
  ) -> Self {
    .value(long, short: short, value, help) { (command, value) throws(UsageError) in
      try reject(if: value.isEmpty, "The \(noun) has an empty name.")
      command[keyPath: property] = value
    }
  }

  /// Returns an option without a value that sets a property to true.
  static func flag(
    _ long: String, short: Character? = nil, alias: Character? = nil, _ help: String,
    _ property: Property<Bool>
  ) -> Self {
    .value(long, short: short, alias: alias, .none, help) { command, _ in
      command[keyPath: property] = true
    }
  }
}

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
