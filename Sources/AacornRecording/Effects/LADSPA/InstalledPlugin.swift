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
