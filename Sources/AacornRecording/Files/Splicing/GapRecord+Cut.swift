extension GapRecord {
  /// Returns the records of the gaps in a part of a recording, with positions from its first
  /// sample.
  ///
  /// A gap across a border of the part is shortened; a record without a position stays unchanged.
  package static func entries(_ entries: [[UInt8]], within part: Range<Int>) -> [[UInt8]] {
    if part == 0..<Int.max { return entries }
    return entries.compactMap { entry(from: $0, within: part) }
  }

  private static func entry(from entry: [UInt8], within part: Range<Int>) -> [UInt8]? {
    guard case .object(var members) = JSONReader.value(entry[...]),
      let positionIndex = members.firstIndex(where: { $0.name == "position" }),
      case .integer(let position) = members[positionIndex].value, position >= 0
    else { return entry }
    var isFilled = true
    var lengthIndex: Int?
    var length = 0
    for (index, member) in members.enumerated() {
      if member.name == "filled", case .flag(let flag) = member.value { isFilled = flag }
      if member.name == "length", case .integer(let count) = member.value, count >= 0 {
        lengthIndex = index
        length = count
      }
    }
    // Omitted audio, as in a pause, takes no time in the file.
    let (sum, overflow) = position.addingReportingOverflow(isFilled ? length : 0)
    let end = overflow ? Int.max : sum
    let first = max(position, part.lowerBound)
    let last = min(end, part.upperBound)
    guard first < last || !isFilled && part.contains(position) else { return nil }
    members[positionIndex] = JSONValue.Member("position", .integer(first - part.lowerBound))
    if isFilled, let lengthIndex {
      members[lengthIndex] = JSONValue.Member("length", .integer(last - first))
    }
    return Array(JSONValue.object(members).encoded.utf8)
  }
}
