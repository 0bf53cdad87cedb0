import AacornSystem

struct CompletionsCommand: Subcommand {
  var shell: CompletionScript.Shell?

  static var syntax: CommandSyntax<CompletionsCommand> {
    let names = CompletionScript.Shell.allCases.map(\.rawValue)
    return CommandSyntax(
      CommandDescription(
        name: "completions",
        summary: "Prints a completion script for bash, zsh or fish.",
        operands: .choice("bash|zsh|fish", names),
        examples: [
          (
            "aacorn completions bash > ~/.local/share/bash-completion/completions/aacorn",
            "for bash, from the next shell on"
          ),
          ("aacorn completions zsh > ~/.zfunc/_aacorn", "for zsh, with ~/.zfunc in fpath"),
          ("aacorn completions fish > ~/.config/fish/completions/aacorn.fish", "for fish"),
        ]),
      options: []
    ) { (command, name) throws(UsageError) in
      try reject(
        if: command.shell != nil, "Only one shell can be named.", hint: "Choose bash, zsh or fish.")
      guard let shell = CompletionScript.Shell(rawValue: name) else {
        throw UsageError(
          "There are no completions for “\(displayed(name))”.",
          hint: "Choose one of: \(names.joined(separator: ", ")).")
      }
      command.shell = shell
    }
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    guard let shell else {
      throw UsageError("The shell is missing.", hint: "Choose bash, zsh or fish.")
    }
    console.output.write(CompletionScript.text(for: shell))
    return .success
  }
}
