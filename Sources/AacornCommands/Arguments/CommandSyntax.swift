/// The one table from which a command's parser, help and completions are made.
struct CommandSyntax<Command: Sendable>: Sendable {
  /// Puts a value (empty for a flag) into the command, or says why it cannot be.
  typealias Action = @Sendable (inout Command, String) throws(UsageError) -> Void

  /// One row: how the option looks and what it does.
  struct Option: Sendable {
    let description: OptionDescription
    let action: Action
  }

  let description: CommandDescription
  let options: [Option]
  /// Takes an operand.
  let operand: Action

  init(_ description: CommandDescription, options: [Option], operand: @escaping Action) {
    var description = description
    description.options = options.map(\.description) + [.help]
    self.description = description
    self.options = options
    self.operand = operand
  }
}

extension CommandSyntax.Option {
  /// An option with a value, kept by `action`.
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

  /// An option without a value that sets a property to true.
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
