import AacornSystem

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

extension EffectPlugin {
  func path(in folders: LADSPAFolders = LADSPAFolders()) throws(EffectError) -> String {
    if let path = folders.file(file) { return path }
    if file.contains("/") {
      throw EffectError(
        "The plugin file “\(displayed(file))” was not found.", "Check the path.", kind: .missing)
    }
    throw EffectError(
      "The plugin file “\(displayed(file))” was not found in "
        + "\(listed(folders.paths.map { displayed($0) }, "or")).",
      "Install it, or add its folder to LADSPA_PATH.", kind: .missing)
  }

  /// Returns the plugin with the label from a file's plugins.
  func find(among plugins: [LADSPAPlugin], path: String) throws(EffectError) -> LADSPAPlugin {
    if let plugin = plugins.first(where: { $0.label == label }) { return plugin }
    let labels = plugins.map { displayed($0.label) }
    throw EffectError(
      "“\(displayed(path))” has no LADSPA plugin “\(displayed(label))”.",
      labels.isEmpty ? "It has no LADSPA plugins." : "It has \(listed(labels)).", kind: .missing)
  }
}

extension LADSPAPlugin {
  /// Returns the controls with the set values and the default ones; throws for invalid values.
  func controls(
    set choice: EffectPlugin, sampleRate: Int
  ) throws(EffectError) -> [LADSPAControl] {
    var values: [Int: Double] = [:]
    for setting in choice.settings {
      let number = try control(for: setting.port)
      let port = ports[number]
      // Show the port's name in the plugin, unless another port has the same name.
      let shown = displayed(
        textualPortNames[number] == port.word ? port.name : textualPortNames[number])
      let isWritable = port.isSwitch || !setting.isSwitched
      guard isWritable, port.allows(setting.value, sampleRate: sampleRate) else {
        throw EffectError(
          "The plugin \(displayed(label)) cannot have a value of \(setting.text) for “\(shown)”.",
          port.rangeHint(sampleRate: sampleRate))
      }
      let value = port.nearest(to: setting.value, sampleRate: sampleRate)
      if values.updateValue(value, forKey: number) != nil {
        throw EffectError(
          "The plugin \(displayed(label)) has two values for “\(shown)”.", "Remove one of them.")
      }
    }
    return portIndices(of: .control).map { number in
      let port = ports[number]
      return LADSPAControl(
        port: number, isSmooth: port.isSmooth,
        value: values[number] ?? port.defaultValue(sampleRate: sampleRate))
    }
  }

  /// Returns the values of the controls; ignores unknown ports and clamps values.
  func values(nearestTo choice: EffectPlugin, sampleRate: Int) -> [Double] {
    var values: [Int: Double] = [:]
    for setting in choice.settings {
      let found = controls(for: setting.port)
      guard found.count == 1 else { continue }
      values[found[0]] = ports[found[0]].nearest(to: setting.value, sampleRate: sampleRate)
    }
    return portIndices(of: .control).map { number in
      values[number] ?? ports[number].defaultValue(sampleRate: sampleRate)
    }
  }

  /// Returns the only control that a word matches; throws if there is no such control, or several.
  private func control(for word: String) throws(EffectError) -> Int {
    let found = controls(for: word)
    if found.count == 1 { return found[0] }
    let plugin = displayed(label)
    if found.count > 1 {
      let names = found.map { displayed(self.textualPortNames[$0]) }
      throw EffectError(
        "The plugin \(plugin) has several ports that begin with “\(displayed(word))”.",
        "They are \(listed(names)).")
    }
    let names = portIndices(of: .control).map { displayed(self.textualPortNames[$0]) }
    let nearest = NearestName.to(word, among: names).map { "Did you mean \($0)?" }
    throw EffectError(
      "The plugin \(plugin) has no port “\(displayed(word))”.",
      nearest ?? (names.isEmpty ? "It has no ports to set." : "It has \(listed(names))."))
  }

  // MARK: - Reasons why a chain cannot use a plugin

  /// The error for a channel count that a chain does not support.
  var channelCountError: EffectError {
    let (ins, outs) = (portIndices(of: .audioInput).count, portIndices(of: .audioOutput).count)
    return EffectError(
      "The plugin \(displayed(label)) cannot be used in a chain: its channels are \(ins) in and "
        + "\(outs) out.", "Choose a plugin with 1 in and 1 out, or 2 in and 2 out.")
  }

  /// Returns the error for a stereo plugin with audio that is not stereo.
  func stereoError(channelCount: Int) -> EffectError {
    EffectError(
      "The plugin \(displayed(label)) requires 2 channels, but the audio has \(channelCount).",
      "Choose a plugin for 1 channel, or 2 channels.")
  }

  func instantiationError(sampleRate: Int) -> EffectError {
    EffectError(
      "The plugin \(displayed(label)) does not work at \(sampleRate) Hz.",
      "Choose another sampling rate, or another plugin.")
  }

  func latencyError(frames: Double) -> EffectError {
    EffectError(
      "The plugin \(displayed(label)) has an invalid latency of "
        + "\(QuantityText.fixed(frames, decimals: 0)) frames.",
      "Choose other values for its ports, or another plugin.")
  }
}
