import AacornSystem

struct HelpCommand: Subcommand {
  var command: String?
  var printsManual = false

  static var syntax: CommandSyntax<HelpCommand> {
    CommandSyntax(
      CommandDescription(
        name: "help", summary: "Lists the commands, or shows all options of one.",
        operands: .choice("[command]", RootCommand.names),
        examples: [
          ("aacorn help encode", "all options of a command, with exit codes"),
          (
            "aacorn help --man encode > ~/.local/share/man/man1/aacorn-encode.1",
            "for “man aacorn-encode”"
          ),
        ]),
      options: [("Output", [.flag("man", "Print a manual page for “man”.", \.printsManual)])]
    ) { (command, name) throws(UsageError) in
      try reject(if: command.command != nil, "Only one command can be explained at a time.")
      command.command = name
    }
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    guard let command else {
      console.output.write(printsManual ? RootCommand.manual.text : RootCommand.overview)
      return .success
    }
    guard let description = RootCommand.commands.first(where: { $0.name == command }) else {
      let nearest = NearestName.to(command, among: RootCommand.names)
      throw UsageError(
        "There is no command “\(displayed(command))”.",
        hint: nearest.map { "Did you mean \($0)?" } ?? ForeignCommand.hint(for: command)
          ?? "See “aacorn help”.")
    }
    console.output.write(
      printsManual ? ManualPage(description).text : HelpText(description).text)
    return .success
  }
}
