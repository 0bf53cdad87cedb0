import AacornContainers
import AacornRecording

struct EffectsCommand: Subcommand {
  var printsJSON = false

  static var syntax: CommandSyntax<EffectsCommand> {
    CommandSyntax(
      CommandDescription(
        name: "effects", summary: "Lists effects and presets.",
        operands: .none,
        discussion: [
          "The list is for --effects of “aacorn record”, “aacorn stream”, “aacorn encode” and “aacorn "
            + "play”, and for --track-effects. It contains the effects with the defaults and ranges of "
            + "their settings, and the presets with their effects."
        ],
        examples: [
          ("aacorn effects", "Print the list."),
          ("aacorn effects --json", "Print JSON for programs."),
        ],
        exitCodes: [
          ("0", "success"),
          ExitStatus.invalidCommandLine,
          ExitStatus.closedReader,
        ]),
      options: [
        (
          "Output",
          [.flag("json", "Print one JSON object per effect and preset.", \.printsJSON)]
        )
      ],
      operandHint: "“aacorn effects” lists all presets and effects with their settings.")
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    if printsJSON {
      for value in EffectTable.values { console.print(value) }
    } else {
      for line in EffectTable.lines { console.print(line) }
    }
    return .success
  }
}

/// A table of effects and presets, human-readable and as JSON.
enum EffectTable {
  /// The lists, separated by empty lines.
  static var lines: [String] {
    var lines = ["Effects"]
    for kind in EffectKind.allCases {
      lines += entry(kind.rawValue, kind.parameters.map { description($0) })
    }
    lines += ["", "Presets"]
    for preset in EffectPreset.allCases {
      let effects = preset.text.split(separator: ",").map { String($0.drop { $0 == " " }) }
      lines += entry(preset.rawValue, effects)
    }
    return lines
  }

  /// Returns the lines of a name and its parts, wrapped to the width of help.
  private static func entry(_ name: String, _ parts: [String]) -> [String] {
    let indentation = 14
    let words = parts.dropLast().map { $0 + "," } + parts.suffix(1)
    var lines = HelpText.wrapped(words, width: HelpText.width - indentation)
      .map { String(repeating: " ", count: indentation) + $0 }
    let gap = String(repeating: " ", count: max(1, indentation - 2 - name.count))
    if let first = lines.first { lines[0] = "  \(name)\(gap)\(first.dropFirst(indentation))" }
    return lines
  }

  private static func description(_ parameter: EffectParameter) -> String {
    let unit = parameter.unit
    let range = parameter.range
    return "\(parameter.name) \(unit.text(of: parameter.defaultValue)) "
      + "(\(unit.text(of: range.lowerBound)) to \(unit.text(of: range.upperBound)))"
  }

  // MARK: - JSON

  /// A JSON object for each effect and preset.
  static var values: [JSONValue] {
    let effects = EffectKind.allCases.map { json($0) }
    let presets = EffectPreset.allCases.map { preset -> JSONValue in
      ["type": .text("preset"), "name": .text(preset.rawValue), "text": .text(preset.text)]
    }
    return effects + presets
  }

  private static func json(_ kind: EffectKind) -> JSONValue {
    [
      "type": .text("effect"), "name": .text(kind.rawValue),
      "parameters": .list(
        kind.parameters.map { parameter in
          [
            "name": .text(parameter.name), "unit": .text(parameter.unit.suffix),
            "minimum": number(parameter.range.lowerBound),
            "maximum": number(parameter.range.upperBound),
            "default": number(parameter.defaultValue),
          ]
        }),
    ]
  }

  private static func number(_ value: Double) -> JSONValue {
    value.magnitude < 1e9 && value == value.rounded() ? .integer(Int(value)) : .decimal(value, 6)
  }
}
