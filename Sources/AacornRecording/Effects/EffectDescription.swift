/// An effect and its numbers, as text says them.
///
///     let effects = try EffectDescription.parse("highpass 80, compressor 3:1 -18, limiter -1")
///     // effects[1].text is “compressor 3:1 -18dB”
public struct EffectDescription: Equatable, Sendable {
  /// Which one.
  public let kind: EffectKind
  /// The values, in the order of the kind's parameters.
  public private(set) var values: [Double]

  /// An effect with the usual numbers.
  public init(_ kind: EffectKind) {
    self.kind = kind
    values = kind.parameters.map(\.usual)
  }

  /// The value of a parameter; nil if the effect has none of this name, and then it stays so.
  ///
  /// What is set is rounded to millionths; outside the range it becomes the nearest value there.
  public subscript(name: String) -> Double? {
    get { kind.parameters.firstIndex { $0.name == name }.map { values[$0] } }
    set {
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

  /// The text that says it, and nothing that goes without saying.
  public var text: String {
    var words = [kind.rawValue]
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
