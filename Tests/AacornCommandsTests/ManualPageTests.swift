import Testing

@testable import AacornCommands

@Suite struct ManualPageTests {
  /// The output of `aacorn help --man`.
  private func page(of command: String? = nil) -> String {
    let captured = CapturedConsole(running: ["help", "--man"] + [command].compactMap(\.self))
    #expect(captured.errors.isEmpty)
    return captured.output
  }

  @Test func helpIsForEveryCommand() {
    guard case .choice(_, let words) = HelpCommand.syntax.description.operands else {
      Issue.record("“aacorn help” has no choices.")
      return
    }
    #expect(words == RootCommand.commands.map(\.name))
  }

  @Test func mainManualPageReferencesCommandPages() {
    let page = page()
    #expect(page.hasPrefix(".TH AACORN 1 \"\" \"aacorn \(RootCommand.version)\" "))
    #expect(page.contains("\n.SH NAME\naacorn \\- records"))
    for command in RootCommand.commands {
      #expect(page.contains("\n.TP\n.BR aacorn\\-\(command.name) (1)\n"), "\(command.name)")
    }
  }

  @Test(arguments: RootCommand.commands.map(\.name))
  func manualPageContainsHelpText(name: String) throws {
    let command = try #require(RootCommand.commands.first { $0.name == name })
    let page = page(of: name)
    #expect(page.hasPrefix(".TH AACORN-\(name.uppercased()) 1 "))
    #expect(page.contains("\n.SH NAME\naacorn\\-\(name) \\- "))
    for option in command.options {
      #expect(page.contains("\\fB" + ManualPage.escaped("--" + option.long)), "\(option.long)")
    }
    // The page has the same words in the same order, with other line breaks.
    let words = page.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    func pageContains(_ text: String) -> Bool {
      words.contains(
        text.split(separator: " ").map { ManualPage.escaped(String($0)) }.joined(separator: " "))
    }
    #expect(command.discussion.allSatisfy(pageContains))
    #expect(
      command.options.allSatisfy { pageContains($0.help) && $0.meanings.allSatisfy(pageContains) })
    #expect(command.examples.allSatisfy { pageContains($0.command) && pageContains($0.purpose) })
    #expect(command.exitCodes.allSatisfy { pageContains($0.code) && pageContains($0.meaning) })
    #expect(page.contains("\n.SH EXIT STATUS\n") == !command.exitCodes.isEmpty)
    #expect(page.hasSuffix("\n.SH SEE ALSO\n.BR aacorn (1)\n"))
  }

  @Test func pagesHoldRequestsAndShortLinesOfASCII() {
    let requests = [".TH", ".SH", ".SS", ".PP", ".TP", ".BR", ".br"]
    for page in [page()] + RootCommand.commands.map({ page(of: $0.name) }) {
      #expect(page.utf8.allSatisfy { $0 == 10 || (32..<127).contains($0) })
      for line in page.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        #expect(!line.isEmpty)
        let word = line.split(separator: " ").first.map(String.init) ?? ""
        if line.hasPrefix(".") || line.hasPrefix("'") {
          #expect(requests.contains(word), "\(line)")
        }
      }
    }
  }

  @Test func signsOfTheFormatterAreEscaped() {
    #expect(ManualPage.escaped(#"a\b -c “d” …"#) == #"a\eb \-c \(lqd\(rq ..."#)
    #expect(ManualPage.escaped("it's ~1 ×") == #"it\(aqs \(ti1 \[u00D7]"#)
    #expect(ManualPage.escaped("🎤") == #"\[u1F3A4]"#)
  }

  @Test func sentencesBeginLines() {
    #expect(ManualPage.lines("One. Two (three.) Four") == ["One.", "Two (three.)", "Four"])
    #expect(ManualPage.lines(".aac") == [#"\&.aac"#])
    #expect(ManualPage.lines("'").first == #"\(aq"#)
    let lines = ManualPage.lines(String(repeating: "word ", count: 50))
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count <= 78 })
  }

  @Test func aPageOfNoCommandIsRefused() {
    let captured = CapturedConsole(running: ["help", "--man", "encod"], status: .usage)
    captured.expectErrors("Did you mean encode?")
  }
}
