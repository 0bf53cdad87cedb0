import AacornRecording
import AacornSystem

/// The parts that are missing in a list of ledgers, according to the names of the ledgers.
struct LedgerParts {
  /// The names of the missing ledgers, in order.
  private(set) var missing: [String] = []
  /// A message about the missing ledgers of each split manifest.
  private(set) var messages: [String] = []

  /// A manifest that is split into parts.
  private struct Split: Hashable {
    /// The common start of the ledgers' names.
    let stem: String
    let count: Int
  }

  init(_ paths: [String]) {
    var complete: Set<String> = []
    var indexes: [Split: Set<Int>] = [:]
    for path in paths {
      if let (split, index) = Self.part(path) {
        indexes[split, default: []].insert(index)
      } else {
        complete.insert(path)
      }
    }
    // If the ledgers of all parts of one split exist, the manifest is complete, whatever other
    // ledgers exist.
    for (split, found) in indexes where found.count == split.count { complete.insert(split.stem) }
    for (split, found) in indexes.sorted(by: {
      ($0.key.stem, $0.key.count) < ($1.key.stem, $1.key.count)
    })
    where !complete.contains(split.stem) {
      let names = (0..<split.count).filter { !found.contains($0) }.map {
        split.stem + "." + Shard(index: $0, count: split.count).name
      }
      missing += names
      let reported = names.prefix(Self.maxReportedNameCount).map { "“\(displayed($0))”" }
      let more = names.count - reported.count
      messages.append(
        "Of \(QuantityText.count(split.count, "part")), "
          + "\(QuantityText.count(names.count, "ledger")) \(names.count == 1 ? "is" : "are") missing: "
          + listed(more > 0 ? reported + ["\(more) more"] : reported) + ".")
    }
  }

  private static let maxReportedNameCount = 5

  /// Splits a name into the split manifest and the index of the part.
  private static func part(_ path: String) -> (Split, index: Int)? {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let name = String(path[path.utf8.index(after: dot)...])
    let numbers = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers[1].elementsEqual("of".utf8),
      let shard = Shard("\(Substring(numbers[0]))/\(Substring(numbers[2]))"), shard.name == name
    else { return nil }
    return (Split(stem: String(path[..<dot]), count: shard.count), shard.index)
  }
}
