import AacornSystem

/// The table that defines a command's parser, help and completions.
struct CommandSyntax<Command: Sendable>: Sendable {
  /// Stores a value (empty for a flag) in the command, or throws if it is invalid.
  typealias Action = @Sendable (inout Command, String) throws(UsageError) -> Void

  struct Option: Sendable {
    var description: OptionDescription
    let action: Action
    /// The new name, if this option is from the previous version.
    var replacement: String?
  }

  let description: CommandDescription
  let options: [Option]
  /// Options of the previous version, which the parser accepts with a notice and help omits.
  let formerOptions: [Option]
  let operand: Action

  init(
    _ description: CommandDescription, options: [Option], formerOptions: [Option] = [],
    operand: @escaping Action
  ) {
    var description = description
    description.options = options.map(\.description) + [.help]
    self.description = description
    self.options = options
    self.formerOptions = formerOptions
    self.operand = operand
  }

  /// Returns the option with a long name, current or former.
  func option(named name: String) -> Option? {
    options.first { $0.description.long == name }
      ?? formerOptions.first { $0.description.long == name }
  }

  /// Creates the syntax of a command without operands; `hint` follows the error about an operand.
  init(_ description: CommandDescription, options: [Option], operandHint hint: String) {
    self.init(description, options: options) { (command, operand) throws(UsageError) in
      throw UsageError(
        "The command has no operands, but “\(displayed(operand))” was given.", hint: hint)
    }
  }

  /// Creates the syntax of a command whose operands are the names of its inputs.
  init(
    _ description: CommandDescription, options: [Option],
    inputs: any WritableKeyPath<Command, [String]> & Sendable
  ) {
    self.init(description, options: options) { (command, operand) throws(UsageError) in
      if operand.isEmpty { throw UsageError("An input has an empty name.") }
      command[keyPath: inputs].append(operand)
    }
  }
}

extension CommandSyntax.Option {
  /// Returns an option of the previous version with a value, which `action` stores.
  static func former(
    _ long: String, now replacement: String, _ value: OptionDescription.Value,
    action: @escaping CommandSyntax.Action
  ) -> Self {
    var option = Self.value(long, value, in: "", "", action: action)
    option.replacement = replacement
    return option
  }

  /// Returns an option with a value, which `action` stores.
  static func value(
    _ long: String, short: Character? = nil, alias: Character? = nil,
    _ value: OptionDescription.Value, in section: String, _ help: String,
    action: @escaping CommandSyntax.Action
  ) -> Self {
    Self(
      description: OptionDescription(
        long: long, short: short, alias: alias, value: value, section: section, help: help),
      action: action)
  }

  /// Returns an option whose value is stored as parsed; `parse` receives the value and the option's
  /// name for messages.
  static func value<Value>(
    _ long: String, short: Character? = nil, alias: Character? = nil,
    _ value: OptionDescription.Value, in section: String, _ help: String,
    _ property: any WritableKeyPath<Command, Value> & Sendable,
    _ parse: @escaping @Sendable (String, String) throws(UsageError) -> Value
  ) -> Self {
    .value(long, short: short, alias: alias, value, in: section, help) {
      (command, value) throws(UsageError) in
      command[keyPath: property] = try parse(value, "--" + long)
    }
  }

  /// Returns an option whose value is stored unchanged.
  static func value(
    _ long: String, _ value: OptionDescription.Value, in section: String, _ help: String,
    _ property: any WritableKeyPath<Command, String?> & Sendable
  ) -> Self {
    .value(long, value, in: section, help) { (command, value) throws(UsageError) in
      command[keyPath: property] = value
    }
  }

  /// Returns an option for a file or folder; `noun` names it in the message about an empty name.
  static func path(
    _ long: String, short: Character? = nil, _ value: OptionDescription.Value,
    in section: String, _ help: String, _ noun: String,
    _ property: any WritableKeyPath<Command, String?> & Sendable
  ) -> Self {
    .value(long, short: short, value, in: section, help) {
      (command, value) throws(UsageError) in
      if value.isEmpty { throw UsageError("The \(noun) has an empty name.") }
      command[keyPath: property] = value
    }
  }

  /// Returns an option without a value that sets a property to true.
  static func flag(
    _ long: String, short: Character? = nil, alias: Character? = nil, in section: String,
    _ help: String,
    _ property: any WritableKeyPath<Command, Bool> & Sendable
  ) -> Self {
    Self(
      description: OptionDescription(
        long: long, short: short, alias: alias, value: .none, section: section, help: help)
    ) { (command, _) throws(UsageError) in
      command[keyPath: property] = true
    }
  }
}
