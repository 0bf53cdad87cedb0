/// A LADSPA plugin, as described by its file.
struct LADSPAPlugin: Sendable {
  let path: String
  let index: Int
  /// The label of the plugin, unique within the file.
  let label: String
  /// The human-readable name.
  let name: String
  /// The author; may be empty.
  let maker: String
  let ports: [LADSPAPort]
  /// The names of the ports in the textual form, by index; unique among controls.
  let textualPortNames: [String]

  init(
    path: String, index: Int, label: String, name: String, maker: String, ports: [LADSPAPort]
  ) {
    self.path = path
    self.index = index
    self.label = label
    self.name = name
    self.maker = maker
    self.ports = ports
    textualPortNames = Self.textualNames(of: ports)
  }

  /// Returns the names of ports in the textual form; repeated names of controls get a number.
  private static func textualNames(of ports: [LADSPAPort]) -> [String] {
    var words = ports.map(\.word)
    let controls = ports.indices.filter { ports[$0].kind == .control }
    // A port whose own name already ends with such a number, such as `gain_2`, keeps its name.
    var taken = Set(controls.map { words[$0] })
    var earlier: Set<String> = []
    for number in controls where !earlier.insert(words[number]).inserted {
      var count = 2
      while !taken.insert("\(words[number])_\(count)").inserted { count += 1 }
      words[number] += "_\(count)"
    }
    return words
  }

  func portIndices(of kind: LADSPAPort.Kind) -> [Int] {
    ports.indices.filter { ports[$0].kind == kind }
  }

  /// The number of channels, 1 or 2; nil if a chain does not support the plugin.
  var channelCount: Int? {
    let count = portIndices(of: .audioInput).count
    let isSupported = (1...2).contains(count) && portIndices(of: .audioOutput).count == count
    return isSupported && !ports.contains { $0.kind == nil } ? count : nil
  }

  /// The index of the port that reports the plugin's latency; nil if there is none.
  var latencyPort: Int? {
    portIndices(of: .result).first { ports[$0].word == "latency" || ports[$0].word == "_latency" }
  }

  /// Returns the controls that a word matches: the control of this name, or the controls with this
  /// prefix.
  func controls(for word: String) -> [Int] {
    let controls = portIndices(of: .control)
    if let exact = controls.first(where: { textualPortNames[$0] == word }) { return [exact] }
    return controls.filter { textualPortNames[$0].hasPrefix(word) }
  }
}
