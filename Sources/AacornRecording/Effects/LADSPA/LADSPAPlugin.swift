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
    if let exact = controls.first(where: { ports[$0].word == word }) { return [exact] }
    return controls.filter { ports[$0].word.hasPrefix(word) }
  }
}
