import AacornSystem

/// An effect and its values, as in its textual form.
///
///     let effects = try EffectDescription.parse("highpass 80, compressor 3:1 -18, limiter -1")
///     // effects[1].text is “compressor 3:1 -18dB”
public struct EffectDescription: Equatable, Sendable {
  /// The kind of the effect.
  public let kind: EffectKind
  /// The values, in the order of the kind's parameters.
  public private(set) var values: [Double]

  /// Creates an effect with default values.
  public init(_ kind: EffectKind) {
    self.kind = kind
    values = kind.parameters.map(\.defaultValue)
  }

  /// The value of a parameter; nil and read-only if the effect has no parameter of this name.
  ///
  /// A new value is rounded to millionths and clamped to the range.
  public subscript(name: String) -> Double? {
    get {
      kind.parameters.firstIndex { $0.name == name }.map { values[$0] }
    }
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

  func with(_ value: Double, at index: Int) -> EffectDescription {
    var description = self
    description.values[index] = value
    return description
  }

  /// The textual form.
  ///
  /// Default values are omitted, except for values that are written without a name.
  public var text: String {
    var words = [kind.rawValue]
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

extension EffectDescription {
  /// The maximum number of effects in a chain.
  public static let maxEffectCount = 32

  /// Parses a text such as `highpass 80, gate -45dB, compressor 3:1 threshold=-18`.
  ///
  /// Effects are separated by commas or line breaks; `#` begins a comment. A name is followed by
  /// values in the order of the parameters, or with their names. The names of ``EffectPreset``
  /// represent several effects.
  public static func parse(_ text: String) throws(EffectError) -> [EffectDescription] {
    var effects: [EffectDescription] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let content = line.prefix { $0 != "#" }
      for part in content.split(separator: ",") {
        let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first else { continue }
        effects += try effect(name, Array(words.dropFirst()))
        if effects.count > maxEffectCount { throw .tooMany }
      }
    }
    if effects.isEmpty {
      throw EffectError("“\(displayed(text))” contains no effect.", "Try speech or highpass 80.")
    }
    return effects
  }

  /// Parses a text, or the file with the path after an `@`.
  public static func read(_ text: String) throws(EffectError) -> [EffectDescription] {
    guard text.hasPrefix("@") else { return try parse(text) }
    let path = String(text.dropFirst())
    if path.isEmpty {
      throw EffectError("No file name follows the @.", "Write a file name, like @voice.txt.")
    }
    let bytes: [UInt8]
    do throws(AACFileError) {
      let file = try InputFile(AACFile.filePath(path), interruption: Interruption())
      bytes = try file.readAll(limit: fileLimit)
    } catch {
      throw EffectError(error.problem, error.recoverySuggestion.description)
    }
    // Some editors begin a file with a byte order mark.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
    do throws(EffectError) {
      return try parse(String(decoding: content, as: UTF8.self))
    } catch {
      throw EffectError(
        "In “\(displayed(path))”: \(error.problem)", error.recoverySuggestion, kind: error.kind)
    }
  }

  /// The maximum size of a file with effects, in bytes.
  private static let fileLimit = 100_000

  private static func effect(
    _ name: String, _ words: [String]
  ) throws(EffectError) -> [EffectDescription] {
    let lowered = name.lowercased()
    if let preset = EffectPreset(rawValue: lowered) {
      if words.isEmpty { return try parse(preset.text) }
      throw EffectError(
        "The preset \(lowered) has no parameters, but “\(displayed(words[0]))” follows it.",
        "Write a comma between effects.")
    }
    guard let kind = EffectKind(rawValue: lowered) else { throw unknown(name) }
    var description = EffectDescription(kind)
    var given: Set<Int> = []
    // A value without a name belongs to the parameter at this index; named values do not count.
    var unnamedCount = 0
    for word in words {
      let (index, text) = try assignment(in: kind, word, unnamedCount)
      if !word.contains("=") { unnamedCount += 1 }
      let parameter = kind.parameters[index]
      if !given.insert(index).inserted {
        throw EffectError(
          "The effect \(kind.rawValue) has two values for \(parameter.name).",
          "Remove one of them.")
      }
      guard let value = parameter.unit.value(of: text) else {
        let example = parameter.unit.text(of: EffectUnit.rounded(parameter.defaultValue))
        throw EffectError(
          "“\(displayed(text))” is not a valid \(parameter.name) for the effect \(kind.rawValue).",
          separation(before: word) ?? "Write it like \(example).")
      }
      guard parameter.allows(value) else {
        throw EffectError(
          "The effect \(kind.rawValue) cannot have a \(parameter.name) of "
            + "\(parameter.unit.text(of: value)).", parameter.rangeHint)
      }
      description = description.with(value, at: index)
    }
    return [description]
  }

  /// Returns the index of the parameter that a word sets, and the text of its value.
  private static func assignment(
    in kind: EffectKind, _ word: String, _ unnamedCount: Int
  ) throws(EffectError) -> (index: Int, text: String) {
    let names = kind.parameters.map(\.name)
    guard let mark = word.firstIndex(of: "=") else {
      if unnamedCount < names.count { return (unnamedCount, word) }
      throw EffectError(
        "The effect \(kind.rawValue) has no parameter for “\(displayed(word))”.",
        separation(before: word) ?? "Its parameters: \(listed(names)).")
    }
    let name = word[..<mark].lowercased()
    if let index = names.firstIndex(of: name) {
      return (index, String(word[word.index(after: mark)...]))
    }
    let nearest = NearestName.to(name, among: names).map { "Did you mean \($0)?" }
    throw EffectError(
      "The effect \(kind.rawValue) has no parameter “\(displayed(name))”.",
      nearest ?? "Its parameters: \(listed(names)).")
  }

  /// Returns the recovery suggestion if an invalid value is the name of an effect, without a comma
  /// before it, or a unit, after a space; otherwise nil.
  private static func separation(before word: String) -> String? {
    let name = word.lowercased()
    if ["hz", "khz", "db", "lufs", "ms", "s"].contains(name) {
      return "Remove the space before the unit."
    }
    let isEffect = EffectKind(rawValue: name) != nil || EffectPreset(rawValue: name) != nil
    return isEffect ? "Write a comma before \(name)." : nil
  }

  private static func unknown(_ name: String) -> EffectError {
    let names = EffectKind.allCases.map(\.rawValue) + EffectPreset.allCases.map(\.rawValue)
    let nearest = NearestName.to(name.lowercased(), among: names).map { "Did you mean \($0)?" }
    return EffectError(
      "There is no effect “\(displayed(name))”.",
      nearest ?? "The effects and presets are \(listed(names)).")
  }
}
