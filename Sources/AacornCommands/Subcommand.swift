/// A command of the program: its options as properties, a table of them, and what it does.
protocol Subcommand: Sendable {
  static var syntax: CommandSyntax<Self> { get }
  func run(in console: Console) throws(UsageError) -> ExitStatus
}
