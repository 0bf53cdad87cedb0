import AacornRecording
import AacornSystem

struct EffectsCommand: Subcommand {
  var printsJSON = false

  static var syntax: CommandSyntax<EffectsCommand> {
    CommandSyntax(
      CommandDescription(
        name: "effects", summary: "Lists effects, presets and plugins.",
        operands: .none,
        discussion: [
          "The list is for --effects of “aacorn record”, “aacorn stream”, “aacorn encode” and “aacorn "
            + "play”, and for --track-effects. It contains the effects with the defaults and ranges of "
            + "their settings, the presets with their effects, and the LADSPA plugins of this computer "
            + "with one input and output, or two of each, with their ranges at 48 kHz.",
          "Plugins are searched in the folders of LADSPA_PATH and in the system's folders. The search "
            + "loads them.",
        ],
        examples: [
          ("aacorn effects", "Print the list."),
          ("aacorn effects --json", "Print JSON for programs."),
        ],
        exitCodes: [
          ("0", "success, also without plugins"),
          ExitStatus.invalidCommandLine,
          ExitStatus.closedReader,
        ]),
      options: [
        (
          "Output",
          [.flag("json", "Print one JSON object per effect, preset and plugin.", \.printsJSON)]
        )
      ],
      operandHint: "“aacorn effects” lists all presets and effects with their settings.")
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let plugins = InstalledPlugin.all()
    if printsJSON {
      for value in EffectTable.values(plugins) { console.print(value) }
    } else {
      for line in EffectTable.lines(plugins) { console.print(line) }
    }
    return .success
  }
}

/// A table of effects, presets and plugins, human-readable and as JSON.
enum EffectTable {
  /// Returns the lists, separated by empty lines.
  static func lines(_ plugins: [InstalledPlugin]) -> [String] {
    var lines = ["Effects"]
    for kind in EffectKind.allCases where kind != .ladspa {
      lines += entry(kind.rawValue, kind.parameters.map { description($0) })
    }
    lines += ["", "Presets"]
    for preset in EffectPreset.allCases {
      let effects = preset.text.split(separator: ",").map { String($0.drop { $0 == " " }) }
      lines += entry(preset.rawValue, effects)
    }
    lines += ["", "LADSPA plugins"]
    if plugins.isEmpty { lines.append("  none") }
    for plugin in plugins {
      lines.append("  ladspa \(displayed(plugin.text))  \(displayed(plugin.name))")
      lines += wrapped(plugin.ports.map { description($0) }, indentation: 6)
    }
    return lines
  }

  private static func entry(_ name: String, _ parts: [String]) -> [String] {
    let indentation = 14
    var lines = wrapped(parts, indentation: indentation)
    let gap = String(repeating: " ", count: max(1, indentation - 2 - name.count))
    if let first = lines.first { lines[0] = "  \(name)\(gap)\(first.dropFirst(indentation))" }
    return lines
  }

  /// Joins parts with commas, wrapped to the width of help.
  private static func wrapped(_ parts: [String], indentation: Int) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    let words = parts.dropLast().map { $0 + "," } + parts.suffix(1)
    return HelpText.wrapped(words, width: HelpText.width - indentation).map { margin + $0 }
  }

  private static func description(_ parameter: EffectParameter) -> String {
    let unit = parameter.unit
    let range = parameter.range
    return "\(parameter.name) \(unit.text(of: parameter.defaultValue)) "
      + "(\(unit.text(of: range.lowerBound)) to \(unit.text(of: range.upperBound)))"
  }

  private static func description(_ port: InstalledPlugin.Port) -> String {
    let word = displayed(port.word)
    if port.values == .switch {
      return "\(word)=\(port.defaultValue > 0 ? "on" : "off") (on or off)"
    }
    var limits: [String] =
      switch port.bounds {
      case (let lower?, let upper?): ["\(text(lower)) to \(text(upper))"]
      case (let lower?, nil): ["from \(text(lower))"]
      case (nil, let upper?): ["to \(text(upper))"]
      case (nil, nil): []
      }
    if port.values == .whole { limits.append("whole") }
    let words = "\(word)=\(text(port.defaultValue))"
    return limits.isEmpty ? words : "\(words) (\(limits.joined(separator: ", ")))"
  }

  private static func text(_ value: Double) -> String { EffectUnit.number.shortText(of: value) }

  // MARK: - JSON

  /// Returns a JSON object for each effect, preset and plugin.
  static func values(_ plugins: [InstalledPlugin]) -> [JSONValue] {
    let effects = EffectKind.allCases.filter { $0 != .ladspa }.map { json($0) }
    let presets = EffectPreset.allCases.map { preset -> JSONValue in
      ["type": .text("preset"), "name": .text(preset.rawValue), "text": .text(preset.text)]
    }
    return effects + presets + plugins.map { json($0) }
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

  private static func json(_ plugin: InstalledPlugin) -> JSONValue {
    [
      "type": .text("plugin"), "name": .text("ladspa " + plugin.text), "file": .text(plugin.path),
      "title": .text(plugin.name), "maker": .text(plugin.maker),
      "channels": .integer(plugin.channelCount),
      "parameters": .list(
        plugin.ports.map { port in
          [
            "name": .text(port.word), "title": .text(port.name),
            "minimum": port.bounds.lower.map(number) ?? .null,
            "maximum": port.bounds.upper.map(number) ?? .null, "default": number(port.defaultValue),
            "values": .text(port.values.rawValue),
          ]
        }),
    ]
  }

  private static func number(_ value: Double) -> JSONValue {
    value.magnitude < 1e9 && value == value.rounded() ? .integer(Int(value)) : .decimal(value, 6)
  }
}
