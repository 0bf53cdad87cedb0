import Testing

@testable import AacornCommands

@Suite struct HelpAndCompletionTests {
  @Test(arguments: CompletionScript.Shell.allCases)
  func completionsNameEveryOptionAndChoice(shell: CompletionScript.Shell) {
    let text = CompletionScript.text(for: shell)
    for command in RootCommand.commands {
      #expect(text.contains(command.name))
      for option in command.options {
        let spelling = shell == .fish ? "-l \(option.long)" : "--\(option.long)"
        #expect(text.contains(spelling), "\(shell) lacks \(option.long)")
        if case .choice(let words) = option.value {
          #expect(text.contains(words.joined(separator: " ")))
        }
      }
    }
  }

  @Test(arguments: CompletionScript.Shell.allCases)
  func completionsOfferDevices(shell: CompletionScript.Shell) {
    let text = CompletionScript.text(for: shell)
    #expect(text.contains("aacorn devices --json 2>/dev/null | sed -n '"))
    let use =
      switch shell {
      case .bash: "--device) local IFS=$'\\n'; COMPREPLY=($(compgen -W \"$(_aacorn_devices)\""
      case .zsh: ":DEVICE:_aacorn_devices'"
      case .fish: "-l device -x -a '(__aacorn_devices)'"
      }
    #expect(text.contains(use))
  }

  @Test func helpFitsEightyColumns() {
    let commands = RootCommand.commands
    let texts =
      [RootCommand.overview, RootCommand.welcome] + commands.map { HelpText($0).text }
      + commands.map { HelpText(brief: $0).text }
    for text in texts {
      for line in text.split(separator: "\n") {
        #expect(line.count <= HelpText.width, "\(line)")
      }
    }
  }

  @Test(arguments: RootCommand.commands.map(\.name))
  func shortHelpHasAtMostFortyFiveLinesAndNamesTheRest(name: String) throws {
    let command = try #require(RootCommand.commands.first { $0.name == name })
    let captured = CapturedConsole(running: [name, "--help"])
    let lines = captured.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 45, "\(captured.output)")
    #expect(lines.last?.hasPrefix("“aacorn help \(name)” ") == true)
    for name in command.essentials { captured.expectOutput("--\(name)") }
    #expect(
      command.essentialOptions.count == (command.essentials + ["help"]).count
        || command.essentials.isEmpty)
    #expect(command.essentialOptions.count <= 16)
    #expect(command.examples.count >= 2)
    for example in command.examples.prefix(3) {
      captured.expectOutput("\n  \(example.command)\n")
    }
  }

  @Test func programWithoutACommandShowsSixTasks() {
    let captured = CapturedConsole(running: [], status: .usage)
    for name in ["record", "encode", "stream", "play", "inspect", "repair"] {
      captured.expectErrors("\n      aacorn \(name) ")
    }
    captured.expectErrors("“aacorn help” lists all commands")
  }

  @Test func firstSentenceEndsAtAPeriodAfterAWord() {
    #expect(
      HelpText.firstSentence("Start at 1.5s (default 0). More.") == "Start at 1.5s (default 0).")
    #expect(HelpText.firstSentence("Use “a b.” More.") == "Use “a b.”")
    #expect(HelpText.firstSentence("No period") == "No period")
  }

  @Test func helpExplainsEveryOption() {
    for command in RootCommand.commands {
      let text = HelpText(command).text
      for option in command.options {
        #expect(text.contains("--" + option.long))
        #expect(option.help.hasSuffix("."), "\(option.long)")
      }
    }
  }

  @Test func optionsHaveUniqueNames() {
    for command in RootCommand.commands {
      #expect(Set(command.options.map(\.long)).count == command.options.count)
      let shorts = command.options.flatMap(\.shorts)
      #expect(Set(shorts).count == shorts.count)
    }
  }

  @Test func helpIsReachedBothWays() {
    let one = CapturedConsole()
    let other = CapturedConsole()
    one.aacorn("help", "encode")
    other.aacorn("encode", "--help")
    one.expectOutput("Exit codes:")
    #expect(one.output.contains("--raw-format") && !other.output.contains("--raw-format"))
    one.aacorn("help", "encod", status: .usage, errors: "Did you mean encode?")
  }

  @Test func completionsNeedAShell() {
    let captured = CapturedConsole(running: ["completions"], status: .usage)
    captured.aacorn("completions", "tcsh", status: .usage)
    captured.aacorn("completions", "bash", output: "complete -o filenames -F _aacorn aacorn")
  }

  @Test func textIsBrokenBetweenWords() {
    #expect(HelpText.wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(HelpText.wrapped("extraordinary", width: 5) == ["extraordinary"])
    #expect(HelpText.wrapped("", width: 5).isEmpty)
  }
}
