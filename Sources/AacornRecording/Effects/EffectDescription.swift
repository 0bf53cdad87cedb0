/// An effect and its numbers, as text says them.
///
///     let effects = try EffectDescription.parse("highpass 80, compressor 3:1 -18, limiter -1")
///     // effects[1].text is “compressor 3:1 -18dB”
public struct EffectDescription: Equatable, Sendable {
  /// Which one.
  public let kind: EffectKind
  /// The values, in the order of the kind's parameters; none of a plugin.
  public private(set) var values: [Double]
  /// The plugin, and what its ports are set to; nil of all kinds but ``EffectKind/ladspa``.
  public private(set) var plugin: EffectPlugin?

  /// An effect with the usual numbers; of a plugin it says none, and no chain is made of it.
  public init(_ kind: EffectKind) {
    self.kind = kind
    values = kind.parameters.map(\.usual)
    plugin = nil
  }

  /// A LADSPA plugin.
  public init(_ plugin: EffectPlugin) {
    kind = .ladspa
    values = []
    self.plugin = plugin
  }

  /// The value of a parameter; nil if the effect has none of this name, and then it stays so.
  ///
  /// What is set is rounded to millionths; outside the range it becomes the nearest value there. Of a
  /// plugin it is what a port is set to, nil where that is left to the plugin; only the chain knows its
  /// ports and their ranges.
  public subscript(name: String) -> Double? {
    get {
      if let plugin { return plugin[name] }
      return kind.parameters.firstIndex { $0.name == name }.map { values[$0] }
    }
    set {
      if plugin != nil {
        plugin?[name] = newValue
        return
      }
      let parameters = kind.parameters
      guard let newValue, let index = parameters.firstIndex(where: { $0.name == name }) else {
        return
      }
      assign(newValue, at: index, of: parameters)
    }
  }

  private mutating func assign(_ value: Double, at index: Int, of parameters: [EffectParameter]) {
    let range = parameters[index].range
    let bounded = value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
    if parameters[index].allows(bounded) { values[index] = EffectUnit.rounded(bounded) }
  }

  /// The effect with a value in the place of another.
  func with(_ value: Double, at index: Int) -> EffectDescription {
    var description = self
    description.values[index] = value
    return description
  }

  /// Whether only values differ.
  func isSameEffect(as other: EffectDescription) -> Bool {
    kind == other.kind && plugin?.file == other.plugin?.file && plugin?.label == other.plugin?.label
  }

  /// The text that says it, and nothing that goes without saying.
  public var text: String {
    var words = [kind.rawValue]
    if let plugin { words.append(plugin.text) }
    for (parameter, value) in zip(kind.parameters, values) {
      let text = parameter.unit.text(of: value)
      if parameter.isLeading {
        words.append(text)
      } else if value != parameter.usual {
        words.append("\(parameter.name)=\(text)")
      }
    }
    return words.joined(separator: " ")
  }

  /// The text that says a chain of them.
  public static func text(_ effects: [EffectDescription]) -> String {
    effects.map(\.text).joined(separator: ", ")
  }
}
