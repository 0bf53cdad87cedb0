import AacornSystem

/// Completion scripts for the commands, options and values in shells.
enum CompletionScript {
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  private static let commands = RootCommand.commands

  static func text(for shell: Shell) -> String {
    let lines =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  private static var names: String {
    commands.map(\.name).joined(separator: " ")
  }

  private static func spellings(_ option: OptionDescription) -> [String] {
    option.shorts.map { "-\($0)" } + ["--" + option.long]
  }

  /// A shell command that prints the IDs of devices, one per line.
  private static var deviceCommand: String {
    "aacorn devices --json 2>/dev/null"
      + #" | sed -n 's/^{"type":"device",.*"id":"\([^"\\]*\)","name":.*/\1/p'"#
  }

  // MARK: bash

  private static var bash: [String] {
    var lines = [
      "# bash completion for aacorn",
      "_aacorn_devices() { \(deviceCommand); }",
      "_aacorn() {",
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"",
      "  COMPREPLY=()",
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
      "    COMPREPLY=($(compgen -W \"\(names) --help --version\" -- \"$word\"))",
      "    return",
      "  fi",
      "  case \"${COMP_WORDS[1]}\" in",
    ]
    for command in commands {
      lines.append("  \(command.name))")
      lines.append("    case \"$before\" in")
      for option in command.options where option.takesValue {
        let pattern = spellings(option).joined(separator: "|")
        lines.append("    \(pattern)) \(bashValue(option.value)); return ;;")
      }
      lines.append("    esac")
      lines.append("    case \"$word\" in")
      let all = command.options.flatMap(spellings).joined(separator: " ")
      lines.append("    -*) COMPREPLY=($(compgen -W \"\(all)\" -- \"$word\")); return ;;")
      lines.append("    esac")
      switch command.operands {
      case .none: break
      case .files: lines.append("    \(bashValue(.file("")))")
      case .choice(_, let words): lines.append("    \(bashValue(.choice(words)))")
      }
      lines.append("    ;;")
    }
    lines += ["  esac", "}", "complete -o filenames -F _aacorn aacorn"]
    return lines
  }

  private static func bashValue(_ value: OptionDescription.Value) -> String {
    switch value {
    case .none, .text: ":"
    case .file: "compopt -o default"
    case .folder: "COMPREPLY=($(compgen -d -- \"$word\"))"
    case .device:
      "local IFS=$'\\n'; COMPREPLY=($(compgen -W \"$(_aacorn_devices)\" -- \"$word\"))"
    case .choice(let words):
      "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\"))"
    }
  }

  // MARK: zsh

  private static var zsh: [String] {
    var lines = [
      "#compdef aacorn",
      "_aacorn_devices() {",
      "  local -a devices",
      "  devices=(${(f)\"$(\(deviceCommand))\"})",
      "  compadd -a devices",
      "}",
      "_aacorn() {",
      "  local -a commands",
      "  if (( CURRENT == 2 )); then",
      "    commands=(",
    ]
    lines += commands.map { "      \(quoted("\($0.name):\($0.summary)"))" }
    lines += [
      "      '--help:Show this help.'", "      '--version:Show the version.'",
      "    )", "    _describe command commands", "    return", "  fi",
      "  local command=$words[2]",
      "  shift words", "  (( CURRENT-- ))",
      "  case $command in",
    ]
    for command in commands {
      lines.append("  \(command.name))")
      lines.append("    _arguments -s -S \\")
      for option in command.options {
        for spelling in spellings(option) {
          lines.append("      \(zshSpecification(option, spelling)) \\")
        }
      }
      switch command.operands {
      case .none: lines.append("      && return")
      case .files: lines.append("      '*:file:_files'")
      case .choice(_, let words):
        lines.append("      '1:choice:(\(words.joined(separator: " ")))'")
      }
      lines.append("    ;;")
    }
    lines += ["  esac", "}", "_aacorn \"$@\""]
    return lines
  }

  private static func zshSpecification(_ option: OptionDescription, _ spelling: String) -> String {
    var help = ""
    for character in HelpText.firstSentence(option.help) {
      if "[]:\\".contains(character) { help += "\\" }
      help.append(character)
    }
    let action =
      switch option.value {
      case .none: ""
      case .text(let name): ":\(name): "
      case .file(let name): ":\(name):_files"
      case .folder(let name): ":\(name):_files -/"
      case .device(let name): ":\(name):_aacorn_devices"
      case .choice(let words): ":value:(\(words.joined(separator: " ")))"
      }
    let sign = option.takesValue ? (spelling.hasPrefix("--") ? "=" : "+") : ""
    return quoted("*\(spelling)\(sign)[\(help)]\(action)")
  }

  // MARK: fish

  private static var fish: [String] {
    let none = "not __fish_seen_subcommand_from \(names)"
    var lines = [
      "# fish completion for aacorn",
      "function __aacorn_devices; \(deviceCommand); end",
      "complete -c aacorn -f",
      "complete -c aacorn -n \(quoted(none)) -l help -d 'Show this help.'",
      "complete -c aacorn -n \(quoted(none)) -l version -d 'Show the version.'",
    ]
    for command in commands {
      let summary = quoted(command.summary)
      lines.append(
        "complete -c aacorn -n \(quoted(none)) -a \(command.name) -d \(summary)")
      let seen = quoted("__fish_seen_subcommand_from \(command.name)")
      let start = "complete -c aacorn -n \(seen)"
      for option in command.options {
        let short = option.shorts.map { " -s \($0)" }.joined()
        let value =
          switch option.value {
          case .none: ""
          case .text: " -x"
          case .file: " -r -F"
          case .folder: " -x -a '(__fish_complete_directories)'"
          case .device: " -x -a '(__aacorn_devices)'"
          case .choice(let words): " -x -a \(quoted(words.joined(separator: " ")))"
          }
        let help = quoted(HelpText.firstSentence(option.help))
        lines.append(start + short + " -l \(option.long)\(value) -d \(help)")
      }
      switch command.operands {
      case .none: break
      case .files: lines.append(start + " -F")
      case .choice(_, let words):
        lines.append(start + " -a \(quoted(words.joined(separator: " ")))")
      }
    }
    return lines
  }

  /// Quotes text for zsh.
  ///
  /// The result suits fish as well, because help texts contain no single quotes.
  private static func quoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" { result += "'\\''" } else { result.append(character) }
    }
    return result + "'"
  }
}
