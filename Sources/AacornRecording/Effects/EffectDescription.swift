/// An effect and its values, as in its textual form.
///
///     let effects = try EffectDescription.parse("highpass 80, compressor 3:1 -18, limiter -1")
///     // effects[1].text is “compressor 3:1 -18dB”
public struct EffectDescription: Equatable, Sendable {
  /// The kind of the effect.
  public let kind: EffectKind
  /// The values, in the order of the kind's parameters; empty for a plugin.
  public private(set) var values: [Double]
  /// The plugin and its settings; nil for all kinds except ``EffectKind/ladspa``.
  public private(set) var plugin: EffectPlugin?

  /// Creates an effect with default values; for the kind `ladspa` it has no plugin and is invalid
  /// in a chain.
  public init(_ kind: EffectKind) {
    self.kind = kind
    values = kind.parameters.map(\.defaultValue)
    plugin = nil
  }

  /// Creates an effect of a LADSPA plugin.
  public init(_ plugin: EffectPlugin) {
    kind = .ladspa
    values = []
    self.plugin = plugin
  }

  /// The value of a parameter; nil and read-only if the effect has no parameter of this name.
  ///
  /// A new value is rounded to millionths and clamped to the range. For a plugin, it is the value
  /// of a port, nil for the plugin's default; ports and ranges are checked only when a chain is
  /// created.
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

  func with(_ value: Double, at index: Int) -> EffectDescription {
    var description = self
    description.values[index] = value
    return description
  }

  /// Returns whether the effects differ only in values.
  func isSameEffect(as other: EffectDescription) -> Bool {
    kind == other.kind && plugin?.file == other.plugin?.file && plugin?.label == other.plugin?.label
  }

  /// The textual form.
  ///
  /// Default values are omitted, except for values that are written without a name.
  public var text: String {
    var words = [kind.rawValue]
    if let plugin { words.append(plugin.text) }
    for (parameter, value) in zip(kind.parameters, values) {
      let text = parameter.unit.text(of: value)
      if parameter.isLeading {
        words.append(text)
      } else if value != parameter.defaultValue {
        words.append("\(parameter.name)=\(text)")
      }
    }
    return words.joined(separator: " ")
  }

  /// Returns the textual form of a chain.
  public static func text(_ effects: [EffectDescription]) -> String {
    effects.map(\.text).joined(separator: ", ")
  }
}
