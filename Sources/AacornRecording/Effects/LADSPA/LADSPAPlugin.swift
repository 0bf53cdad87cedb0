/// A LADSPA plugin as it describes itself.
struct LADSPAPlugin: Sendable {
  /// Its file.
  let path: String
  /// Which of the file's plugins.
  let index: Int
  /// What tells it from others of the file.
  let label: String
  /// What people call it.
  let name: String
  /// Who made it; may be empty.
  let maker: String
  /// Its ports, by their numbers.
  let ports: [LADSPAPort]
  /// The words for its ports, by their numbers; no two controls have the same.
  let words: [String]

  /// A plugin with these ports.
  init(
    path: String, index: Int, label: String, name: String, maker: String, ports: [LADSPAPort]
  ) {
    self.path = path
    self.index = index
    self.label = label
    self.name = name
    self.maker = maker
    self.ports = ports
    words = Self.words(for: ports)
  }

  /// The words of ports, with a number behind those of controls that an earlier one has.
  private static func words(for ports: [LADSPAPort]) -> [String] {
    var words = ports.map(\.word)
    let controls = ports.indices.filter { ports[$0].kind == .control }
    // A port that is called like another one with its number keeps its name.
    var taken = Set(controls.map { words[$0] })
    var earlier: Set<String> = []
    for number in controls where !earlier.insert(words[number]).inserted {
      var count = 2
      while !taken.insert("\(words[number])_\(count)").inserted { count += 1 }
      words[number] += "_\(count)"
    }
    return words
  }

  /// The numbers of its ports of a kind.
  func numbers(of kind: LADSPAPort.Kind) -> [Int] {
    ports.indices.filter { ports[$0].kind == kind }
  }

  /// How many channels go through it, 1 or 2; nil if it is nothing for a chain.
  var channelCount: Int? {
    let count = numbers(of: .audioInput).count
    let isFit = (1...2).contains(count) && numbers(of: .audioOutput).count == count
    return isFit && !ports.contains { $0.kind == nil } ? count : nil
  }

  /// The number of the port that tells its latency; nil if there is none.
  var latencyPort: Int? {
    numbers(of: .result).first { ports[$0].word == "latency" || ports[$0].word == "_latency" }
  }

  /// The controls that a word stands for: the one of this name, or those that begin so.
  func controls(for word: String) -> [Int] {
    let controls = numbers(of: .control)
    if let exact = controls.first(where: { words[$0] == word }) { return [exact] }
    return controls.filter { words[$0].hasPrefix(word) }
  }
}
