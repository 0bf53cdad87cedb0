/// Counts gaps in a recording's ledger.
enum GapCount {
  /// The number of entries for lost audio; audio omitted on purpose, as in a pause, leaves no
  /// silence, and its entries say so.
  static func of(_ entries: [ArraySlice<UInt8>]) -> Int {
    let leftOut = Array("\"filled\":false".utf8)
    return entries.count { entry in
      !entry.indices.contains { entry[$0...].starts(with: leftOut) }
    }
  }
}
