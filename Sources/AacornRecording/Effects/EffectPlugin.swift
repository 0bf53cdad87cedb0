import AacornSystem

/// A LADSPA plugin as an effect, with its settings.
///
///     var plugin = EffectPlugin(file: "delay", label: "delay_5s")
///     plugin?["delay"] = 0.25
///     // plugin.text is “delay:delay_5s delay=0.25”
///
/// The plugin is loaded only when an ``EffectChain`` is created, which reports errors.
public struct EffectPlugin: Equatable, Sendable {
  /// A port and its value.
  public struct Setting: Equatable, Sendable {
    /// The name of the port as a word in lower case, or a unique prefix of it.
    public let port: String
    /// The value; for a switch, 1 is on and 0 is off.
    public fileprivate(set) var value: Double
    /// Whether the value is written as `on` or `off`, which only switches accept.
    public fileprivate(set) var isSwitched = false

    var text: String {
      isSwitched ? (value > 0 ? "on" : "off") : EffectUnit.number.text(of: value)
    }
  }

  /// A path, or a file name in the plugin folders.
  public let file: String
  /// The label of the plugin within the file.
  public let label: String
  /// The values of ports; the others have the plugin's defaults.
  public private(set) var settings: [Setting] = []

  /// Creates a plugin with default values; nil if it has no textual form.
  ///
  /// File and label must not be empty or contain blanks, commas or `#`. The label must not contain
  /// a colon. If a folder's name contains such characters, add the folder to `LADSPA_PATH` and use
  /// the file's name.
  public init?(file: String, label: String) {
    guard Self.isWord(file), Self.isWord(label), !label.contains(":") else { return nil }
    self.file = file
    self.label = label
  }

  /// The value of a port; nil for the plugin's default.
  ///
  /// In the name, case does not matter and blanks may be underscores. A new value is rounded to
  /// millionths.
  public subscript(port: String) -> Double? {
    get {
      let word = Self.word(for: port)
      return settings.first { $0.port == word }?.value
    }
    set {
      let word = Self.word(for: port)
      settings.removeAll { $0.port == word && newValue == nil }
      guard let newValue, newValue.magnitude < 1e9, !word.isEmpty else { return }
      let value = EffectUnit.rounded(newValue)
      if let index = settings.firstIndex(where: { $0.port == word }) {
        settings[index].value = value
        settings[index].isSwitched = false
      } else {
        settings.append(Setting(port: word, value: value))
      }
    }
  }

  /// Whether the file is a path, rather than a name in the plugin folders.
  package var hasFolder: Bool { file.utf8.contains(UInt8(ascii: "/")) }

  /// The textual form, without the name of the effect.
  public var text: String {
    let words = settings.map { "\($0.port)=\($0.text)" }
    return (["\(file):\(label)"] + words).joined(separator: " ")
  }

  /// Returns the name of a port as a word: in lower case, with underscores for separators.
  package static func word(for name: String) -> String {
    String(name.lowercased().map { isSeparator($0) || $0 == "=" ? "_" : $0 })
  }

  private static func isSeparator(_ character: Character) -> Bool {
    character.isWhitespace || character == "," || character == "#"
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && !text.contains(where: isSeparator)
  }
}

extension EffectPlugin {
  /// Creates the plugin for words such as `amp:amp_mono` and `gain=2`.
  init(parsing words: [String]) throws(EffectError) {
    let usageHint = "Write it like ladspa amp:amp_mono gain=2."
    guard let name = words.first else {
      throw EffectError("The effect ladspa requires a plugin.", usageHint)
    }
    // A path may contain colons, so the last colon precedes the label.
    guard let mark = name.lastIndex(of: ":"),
      let plugin = EffectPlugin(
        file: String(name[..<mark]), label: String(name[name.index(after: mark)...]))
    else {
      throw EffectError(
        "“\(displayed(name))” is not a file and a plugin's label, with a colon between.", usageHint)
    }
    self = plugin
    for word in words.dropFirst() { try set(word) }
  }

  private mutating func set(_ word: String) throws(EffectError) {
    let shown = displayed(label)
    let separation = EffectDescription.separation(before: word)
    guard let mark = word.firstIndex(of: "="), mark > word.startIndex else {
      throw EffectError(
        "The plugin \(shown) has no port for “\(displayed(word))”.",
        separation ?? "Write the port's name before the value, like gain=2.")
    }
    let port = Self.word(for: String(word[..<mark]))
    let text = String(word[word.index(after: mark)...])
    if self[port] != nil {
      throw EffectError(
        "The plugin \(shown) has two values for \(displayed(port)).", "Remove one of them.")
    }
    let state = Self.state(of: text)
    guard let value = state ?? EffectUnit.number.value(of: text) else {
      throw EffectError(
        "“\(displayed(text))” is not a valid \(displayed(port)) for the plugin \(shown).",
        "Write a number, like 1. For a switch, write on or off.")
    }
    self[port] = value
    if let index = settings.firstIndex(where: { $0.port == port }) {
      settings[index].isSwitched = state != nil
    }
  }

  /// Returns the value of a switch for its name; nil for another text.
  private static func state(of text: String) -> Double? {
    switch text.lowercased() {
    case "on": 1
    case "off": 0
    default: nil
    }
  }
}

/// A LADSPA plugin that is installed on this computer and can be used in a chain of effects.
package struct InstalledPlugin: Sendable {
  /// A port that can be set.
  package struct Port: Sendable {
    /// The port's name in the textual form.
    package let word: String
    /// The port's name in the plugin.
    package let name: String
    package let values: Values
    /// The minimum and maximum at 48 kHz; nil if there is no bound within the textual form's range.
    package let bounds: (lower: Double?, upper: Double?)
    package let defaultValue: Double

    /// A kind of valid values.
    package enum Values: String, Sendable {
      /// All numbers.
      case number
      /// Integers only.
      case whole
      /// On (1) and off (0).
      case `switch`
    }
  }

  /// File and label in the textual form.
  package let text: String
  package let path: String
  /// The human-readable name.
  package let name: String
  /// The author; may be empty.
  package let maker: String
  /// The number of channels of an instance: 1 or 2.
  package let channelCount: Int
  package let ports: [Port]

  /// Creates the plugin; nil if a chain does not support its channels, or if it has no textual
  /// form.
  init?(_ plugin: LADSPAPlugin) {
    let file = FileName.last(plugin.path)
    let stem = file.hasSuffix(".so") ? String(file.dropLast(3)) : file
    guard let channelCount = plugin.channelCount,
      let choice = EffectPlugin(file: stem, label: plugin.label)
    else { return nil }
    text = choice.text
    path = plugin.path
    name = plugin.name
    maker = plugin.maker
    self.channelCount = channelCount
    ports = plugin.portIndices(of: .control).map { number in
      let port = plugin.ports[number]
      return Port(
        word: plugin.textualPortNames[number], name: port.name,
        values: port.isSwitch ? .switch : port.isInteger ? .whole : .number,
        bounds: port.writableBounds(sampleRate: 48_000),
        defaultValue: port.defaultValue(sampleRate: 48_000))
    }
  }

  /// Returns all plugins in the plugin folders; skips files that cannot be loaded.
  package static func all() -> [InstalledPlugin] {
    #if os(Linux)
    return LADSPAFolders().files.flatMap { path in
      ((try? LADSPALibrary(path))?.plugins ?? []).compactMap { InstalledPlugin($0) }
    }
    #else
    return []
    #endif
  }
}
