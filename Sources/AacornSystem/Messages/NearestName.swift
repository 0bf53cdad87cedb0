/// A search for the name that a mistyped name probably means.
package enum NearestName {
  /// Returns the nearest of `names`; nil if no name is near.
  ///
  /// A name is near if at most a third of the letters differ, or if it begins with the typed text.
  /// On a tie the first name wins. A text with fewer than three letters has no nearest name.
  package static func to(_ typed: String, among names: [String]) -> String? {
    let letters = Array(typed.utf8.prefix(64))
    guard letters.count >= 3 else { return nil }
    let limit = letters.count / 3
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(letters, Array(name.utf8))
      if distance <= limit && distance < best?.distance ?? .max { best = (name, distance) }
    }
    if let best { return best.name }
    return names.first { $0.hasPrefix(typed) }
  }

  /// Returns the number of letters that must be changed, added, dropped or swapped with their
  /// neighbor.
  package static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for row in 1...first.count {
      var current = [row]
      for column in 1...second.count {
        let same = first[row - 1] == second[column - 1]
        var cost = last[column - 1] + (same ? 0 : 1)
        cost = min(cost, min(last[column], current[column - 1]) + 1)
        if row > 1, column > 1, first[row - 1] == second[column - 2],
          first[row - 2] == second[column - 1]
        {
          cost = min(cost, beforeLast[column - 2] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[second.count]
  }
}
