/// A LADSPA plugin that a chain of effects can have, as it is found on this computer.
package struct InstalledPlugin: Sendable {
  /// A port that can be set.
  package struct Port: Sendable {
    /// Its name as text names it.
    package let word: String
    /// Its name as the plugin has it.
    package let name: String
    /// What it takes.
    package let values: Values
    /// Its least and its greatest value at 48 kHz; nil if there is none, or none that text can say.
    package let bounds: (lower: Double?, upper: Double?)
    /// What it is unless something else is said.
    package let usual: Double

    /// Which values make sense.
    package enum Values: String, Sendable {
      /// All numbers.
      case number
      /// Whole numbers alone.
      case whole
      /// On (1) and off (0).
      case `switch`
    }
  }

  /// File and label, as text names them.
  package let text: String
  /// The file's path.
  package let path: String
  /// What people call it.
  package let name: String
  /// Who made it; may be empty.
  package let maker: String
  /// How many channels go through one of it: 1 or 2.
  package let channelCount: Int
  /// Its ports that can be set.
  package let ports: [Port]

  /// The plugin; nil if it does not fit a chain, or its text cannot name it.
  init?(_ plugin: LADSPAPlugin) {
    let file = plugin.path.split(separator: "/").last.map(String.init) ?? plugin.path
    let stem = file.hasSuffix(".so") ? String(file.dropLast(3)) : file
    guard let channelCount = plugin.channelCount,
      let choice = EffectPlugin(file: stem, label: plugin.label)
    else { return nil }
    text = choice.text
    path = plugin.path
    name = plugin.name
    maker = plugin.maker
    self.channelCount = channelCount
    ports = plugin.numbers(of: .control).map { number in
      let port = plugin.ports[number]
      return Port(
        word: plugin.words[number], name: port.name,
        values: port.isSwitch ? .switch : port.isWhole ? .whole : .number,
        bounds: port.writableBounds(sampleRate: 48_000),
        usual: port.usualValue(sampleRate: 48_000))
    }
  }

  /// All that there are where plugins are looked for; what cannot be loaded is left out.
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
