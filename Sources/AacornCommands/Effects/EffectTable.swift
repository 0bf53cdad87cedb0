import AacornRecording
import AacornSystem

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
    let presets = EffectPreset.allCases.map { preset in
      JSONValue.object([
        .init("type", .text("preset")), .init("name", .text(preset.rawValue)),
        .init("text", .text(preset.text)),
      ])
    }
    return effects + presets + plugins.map { json($0) }
  }

  private static func json(_ kind: EffectKind) -> JSONValue {
    .object([
      .init("type", .text("effect")), .init("name", .text(kind.rawValue)),
      .init(
        "parameters",
        .list(
          kind.parameters.map { parameter in
            .object([
              .init("name", .text(parameter.name)), .init("unit", .text(parameter.unit.suffix)),
              .init("minimum", number(parameter.range.lowerBound)),
              .init("maximum", number(parameter.range.upperBound)),
              .init("default", number(parameter.defaultValue)),
            ])
          })),
    ])
  }

  private static func json(_ plugin: InstalledPlugin) -> JSONValue {
    .object([
      .init("type", .text("plugin")), .init("name", .text("ladspa " + plugin.text)),
      .init("file", .text(plugin.path)), .init("title", .text(plugin.name)),
      .init("maker", .text(plugin.maker)), .init("channels", .integer(plugin.channelCount)),
      .init(
        "parameters",
        .list(
          plugin.ports.map { port in
            .object([
              .init("name", .text(port.word)), .init("title", .text(port.name)),
              .init("minimum", port.bounds.lower.map(number) ?? .null),
              .init("maximum", port.bounds.upper.map(number) ?? .null),
              .init("default", number(port.defaultValue)),
              .init("values", .text(port.values.rawValue)),
            ])
          })),
    ])
  }

  private static func number(_ value: Double) -> JSONValue {
    value.magnitude < 1e9 && value == value.rounded() ? .integer(Int(value)) : .decimal(value, 6)
  }
}

/// Messages about the effects of a recording, for `--verbose`.
enum EffectSummary {
  /// Returns messages about the effects of each track and of the mix.
  static func lines(
    _ configuration: RecordingConfiguration, _ tracks: [TrackConfiguration]
  ) -> [String] {
    var lines: [String] = []
    for track in tracks where !track.effects.isEmpty {
      let name = displayed(track.name)
      lines.append(
        "The effects of the track “\(name)” are: " + effectText(of: track.effects, configuration))
    }
    if !configuration.effects.isEmpty {
      lines.append("The effects are: " + effectText(of: configuration.effects, configuration))
    }
    return lines
  }

  /// Returns the effects and their latency, which delays a live stream.
  private static func effectText(
    of effects: [EffectDescription], _ configuration: RecordingConfiguration
  ) -> String {
    let text = EffectDescription.text(effects) + "."
    let chain = try? EffectChain(
      effects, channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
    // The chain is nil if a plugin was removed after the options were checked.
    guard let latency = chain?.latency else { return text }
    if latency == 0 { return text + " They add no latency." }
    let seconds = Double(latency) / Double(configuration.sampleRate)
    return text + " They add \(QuantityText.length(seconds)) of latency."
  }
}
