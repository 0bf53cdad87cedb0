import Testing

@testable import AacornCommands

@Suite struct HelpAndCompletionTests {
  @Test(arguments: CompletionScript.Shell.allCases)
  func completionsNameEveryOptionAndChoice(shell: CompletionScript.Shell) {
    let script = CompletionScript(program: "aacorn", commands: RootCommand.commands)
    let text = script.text(for: shell)
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
    let text = CompletionScript(program: "aacorn", commands: RootCommand.commands).text(for: shell)
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
    let texts = [RootCommand.overview] + RootCommand.commands.map { HelpText($0).text }
    for text in texts {
      for line in text.split(separator: "\n") {
        #expect(line.count <= HelpText.width, "\(line)")
      }
    }
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

  @Test func optionsHaveNamesOfTheirOwn() {
    for command in RootCommand.commands {
      #expect(Set(command.options.map(\.long)).count == command.options.count)
      let shorts = command.options.flatMap(\.shorts)
      #expect(Set(shorts).count == shorts.count)
    }
  }

  @Test func helpIsReachedBothWays() {
    let one = CapturedConsole()
    let other = CapturedConsole()
    #expect(one.run(["help", "encode"]) == .success)
    #expect(other.run(["encode", "--help"]) == .success)
    #expect(one.output == other.output)
    #expect(one.output.contains("Exit codes:"))
    #expect(one.run(["help", "encod"]) == .usage)
    #expect(one.errors.contains("Did you mean encode?"))
  }

  @Test func completionsNeedAShell() {
    let captured = CapturedConsole()
    #expect(captured.run(["completions"]) == .usage)
    #expect(captured.run(["completions", "tcsh"]) == .usage)
    #expect(captured.run(["completions", "bash"]) == .success)
    #expect(captured.output.contains("complete -o filenames -F _aacorn aacorn"))
  }

  @Test func textIsBrokenBetweenWords() {
    #expect(HelpText.wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(HelpText.wrapped("extraordinary", width: 5) == ["extraordinary"])
    #expect(HelpText.wrapped("", width: 5).isEmpty)
  }
}
