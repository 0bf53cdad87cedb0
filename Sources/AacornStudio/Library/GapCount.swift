/// Counts gaps in the ledger that a recording carries.
enum GapCount {
  /// Entries of lost sound: what was left out on purpose, as in a pause, leaves no silence behind
  /// and says so.
  static func of(_ entries: [ArraySlice<UInt8>]) -> Int {
    let leftOut = Array("\"filled\":false".utf8)
    return entries.count { entry in
      !entry.indices.contains { entry[$0...].starts(with: leftOut) }
    }
  }
}
