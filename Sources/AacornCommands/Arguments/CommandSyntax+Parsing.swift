import AacornSystem

// Options and operands may be in any order. `--name value`, `--name=value`, `-n value`, `-nvalue` and
// bundled flags (`-qf`) are understood; `--` ends the options and `-` is an operand. If an option
// occurs twice, the last one counts. A value that looks like an option of the command is accepted
// only after `=`.
extension CommandSyntax {
  /// Parses `arguments`, without the names of program and command, into `command`.
  ///
  /// Returns nil if they ask for help.
  func parse(_ arguments: [String], into command: Command) throws(UsageError) -> Command? {
    var command = command
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        for value in rest { try operand(&command, value) }
        break
      }
      if argument.hasPrefix("--") {
        let wantsHelp = try parseLong(argument.dropFirst(2), &rest, &command)
        if wantsHelp { return nil }
      } else if argument.hasPrefix("-") && argument != "-" {
        let wantsHelp = try parseShort(argument.dropFirst(), &rest, &command)
        if wantsHelp { return nil }
      } else {
        try operand(&command, argument)
      }
    }
    return command
  }

  private func parseLong(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ command: inout Command
  ) throws(UsageError) -> Bool {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if name == "help" { return true }
    guard let option = option(named: name) else { throw unknown("--" + name) }
    var value = parts.count == 2 ? String(parts[1]) : nil
    if !option.description.takesValue, value != nil {
      throw UsageError("The option --\(name) takes no value.")
    }
    if option.description.takesValue && value == nil {
      value = try takeValue(of: option, as: "--" + name, &rest)
    }
    try apply(option, value ?? "", &command)
    return false
  }

  private func parseShort(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ command: inout Command
  ) throws(UsageError) -> Bool {
    let word = "-" + text.prefix { $0 != "=" }
    if text.count > 1, let hint = foreignOptionHint(for: word) {
      throw UsageError("There is no option \(displayed(word)).", hint: hint)
    }
    var letters = text
    while let letter = letters.popFirst() {
      if letter == "h" { return true }
      guard let option = options.first(where: { $0.description.shorts.contains(letter) })
      else {
        throw unknown("-\(letter)")
      }
      guard option.description.takesValue else {
        try apply(option, "", &command)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      let value =
        letters.isEmpty
        ? try takeValue(of: option, as: "-\(letter)", &rest) : String(letters)
      try apply(option, value, &command)
      break
    }
    return false
  }

  private func takeValue(
    of option: Option, as name: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else {
      throw UsageError(
        "The option \(name) needs a value (\(option.description.valueName)).")
    }
    // Report a missing value, instead of accepting the next option as a device or file.
    try reject(
      if: isOption(value),
      "The option \(name) needs a value (\(option.description.valueName)), but "
        + "\(displayed(value)) follows.",
      hint: "If that is the value, write --\(option.description.long)=\(displayed(value)).")
    return value
  }

  private func isOption(_ word: String) -> Bool {
    let name = String(word.prefix { $0 != "=" })
    if name == "--help" { return true }
    return options.contains { option in
      let letters = option.description.shorts.map { "-\($0)" }
      return name == "--" + option.description.long || letters.contains(name)
    }
  }

  /// Applies an option with its value, which is empty for a flag.
  func apply(
    _ option: Option, _ value: String, _ command: inout Command
  ) throws(UsageError) {
    if case .choice(let words) = option.description.value, !words.contains(value) {
      throw UsageError(
        "The option --\(option.description.long) does not accept “\(displayed(value))”.",
        hint: hint(value, words, option.description.meanings))
    }
    try option.action(&command, value)
  }

  /// Returns a hint for an invalid value: the nearest word, or all words.
  private func hint(_ value: String, _ words: [String], _ meanings: [String]) -> String {
    let nearest = NearestName.to(value, among: words).map { "Did you mean \($0)?" }
    if meanings.isEmpty { return nearest ?? "Choose one of: \(words.joined(separator: ", "))." }
    // With explanations, print them even if a word is suggested.
    return ([nearest].compactMap(\.self) + meanings).joined(separator: " ")
  }

  /// Returns a hint with the equivalent of another program's option, or nil if the option is
  /// unknown.
  private func foreignOptionHint(for typed: String) -> String? {
    description.hints.first { $0.option == typed }?.hint
      ?? ForeignOption.hint(for: typed, in: description)
  }

  private func unknown(_ typed: String) -> UsageError {
    let known = description.options.flatMap { option in
      ["--" + option.long] + option.shorts.map { "-\($0)" }
    }
    let name = displayed(typed)
    if let hint = foreignOptionHint(for: typed) {
      return UsageError("There is no option \(name).", hint: hint)
    }
    let help = "aacorn help \(description.name)"
    guard let nearest = NearestName.to(name, among: known) else {
      return UsageError("There is no option \(name).", hint: "See “\(help)”.")
    }
    return UsageError("There is no option \(name).", hint: "Did you mean \(nearest)?")
  }
}

/// Throws a usage error if a condition is true.
func reject(
  if condition: Bool, _ message: @autoclosure () -> String,
  hint: @autoclosure () -> String = ""
) throws(UsageError) {
  if condition { throw UsageError(message(), hint: hint()) }
}
