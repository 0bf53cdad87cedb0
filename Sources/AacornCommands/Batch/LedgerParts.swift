import AacornRecording
import AacornSystem

/// The parts that a list of ledgers covers, according to the names of the ledgers.
struct LedgerParts {
  /// The names of ledgers that are missing, in order.
  private(set) var missing: [String] = []
  private var groups: [Group] = []

  /// The parts of one split of a manifest.
  private struct Group {
    /// The common start of the ledgers' names.
    let stem: String
    let count: Int
    var indexes: Set<Int> = []

    var missing: [String] {
      (0..<count).filter { !indexes.contains($0) }.map {
        stem + "." + Shard(index: $0, count: count).name
      }
    }
  }

  init(_ paths: [String]) {
    var whole: Set<String> = []
    for path in paths {
      guard let (stem, shard) = Self.part(path) else {
        whole.insert(path)
        continue
      }
      let known = groups.firstIndex { $0.stem == stem && $0.count == shard.count }
      let index = known ?? groups.endIndex
      if known == nil { groups.append(Group(stem: stem, count: shard.count)) }
      groups[index].indexes.insert(shard.index)
    }
    // If the ledgers of all parts of one split exist, the manifest is complete, whatever other
    // ledgers exist.
    for group in groups where group.indexes.count == group.count { whole.insert(group.stem) }
    groups.removeAll { whole.contains($0.stem) }
    missing = groups.flatMap(\.missing)
  }

  /// A message about missing ledgers for each incomplete group of parts.
  var messages: [String] {
    groups.map { group in
      let names = group.missing
      let reported = names.prefix(Self.maxReportedNameCount).map { "“\(displayed($0))”" }
      let more = names.count - reported.count
      return
        "Of \(QuantityText.count(group.count, "part")), \(QuantityText.count(names.count, "ledger")) "
        + "\(names.count == 1 ? "is" : "are") missing: "
        + listed(more > 0 ? reported + ["\(more) more"] : reported) + "."
    }
  }

  private static let maxReportedNameCount = 5

  /// Splits a name into the name without the part's number, and the part.
  private static func part(_ path: String) -> (stem: String, shard: Shard)? {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let name = String(path[path.utf8.index(after: dot)...])
    let numbers = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers[1].elementsEqual("of".utf8),
      let shard = Shard("\(Substring(numbers[0]))/\(Substring(numbers[2]))"), shard.name == name
    else { return nil }
    return (String(path[..<dot]), shard)
  }
}
