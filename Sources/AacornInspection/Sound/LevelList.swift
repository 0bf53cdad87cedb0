/// Peak levels over time, in constant memory.
///
/// When the list is full, neighbors are joined, and each entry represents twice as many levels.
struct LevelList: Sendable {
  /// The maximum of every `levelsPerEntry` levels.
  private var entries: [UInt8] = []
  private var levelsPerEntry = 1
  /// The number of levels in the last entry.
  private var lastCount = 0

  private static let maxEntryCount = 8192

  mutating func append(_ level: UInt8) {
    if lastCount == levelsPerEntry || entries.isEmpty {
      if entries.count == Self.maxEntryCount { joinNeighbors() }
      entries.append(0)
      lastCount = 0
    }
    entries[entries.count - 1] = max(entries[entries.count - 1], level)
    lastCount += 1
  }

  private mutating func joinNeighbors() {
    for index in 0..<Self.maxEntryCount / 2 {
      entries[index] = max(entries[2 * index], entries[2 * index + 1])
    }
    entries.removeSubrange(Self.maxEntryCount / 2..<Self.maxEntryCount)
    levelsPerEntry *= 2
  }

  /// The maximum number of returned levels, above the width of any screen.
  private static let maxLevelCount = 1 << 20

  /// Returns the maximum level in each of `count` equal parts of the time; at most 2²⁰ levels.
  func levels(_ count: Int) -> [UInt8] {
    let count = min(max(0, count), Self.maxLevelCount)
    var levels: [UInt8] = []
    levels.reserveCapacity(count)
    for part in 0..<count {
      let start = part * entries.count / count
      let end = min(max((part + 1) * entries.count / count, start + 1), entries.count)
      var maximum: UInt8 = 0
      for index in start..<end { maximum = max(maximum, entries[index]) }
      levels.append(maximum)
    }
    return levels
  }
}
