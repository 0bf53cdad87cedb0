/// A command of the program: its options as properties, the table of its options, and its action.
protocol Subcommand: Sendable {
  static var syntax: CommandSyntax<Self> { get }
  func run(in console: Console) throws(UsageError) -> ExitStatus
}
