/// The parts of a decoder's samples that are heard, one after another.
enum HeardParts {
  /// What is heard from one time to another, counted in what is heard of `parts`.
  static func cut(_ parts: [Range<Int64>], from start: Int64, count: Int64) -> [Range<Int64>] {
    var skipped = start
    var left = count
    var result: [Range<Int64>] = []
    for part in parts where left > 0 {
      let length = part.upperBound - part.lowerBound
      if skipped >= length {
        skipped -= length
        continue
      }
      let lower = part.lowerBound + skipped
      skipped = 0
      let taken = min(left, part.upperBound - lower)
      result.append(lower..<lower + taken)
      left -= taken
    }
    return result
  }

  /// The same parts where `offset` samples precede, or are gone if it is negative, as far as there
  /// are samples; there are `end` in all.
  static func moved(_ parts: [Range<Int64>], by offset: Int64, end: Int64) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for part in parts {
      // Tables can place a part anywhere up to the largest number.
      let (lower, isBeyondEnd) = part.lowerBound.addingReportingOverflow(offset)
      if isBeyondEnd { continue }
      let (moved, overflow) = part.upperBound.addingReportingOverflow(offset)
      let upper = part.upperBound == .max || overflow ? end : min(end, moved)
      if lower < upper { result.append(lower..<upper) }
    }
    return result
  }

  /// How many samples are heard in all.
  static func count(_ parts: [Range<Int64>]) -> Int64 {
    parts.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// The first unit behind the parts, with units of this length; nil if they have no end.
  static func unitEnd(_ parts: [Range<Int64>], unitLength: Int64) -> Int? {
    guard let end = parts.last?.upperBound, end < .max else { return nil }
    let (whole, rest) = end.quotientAndRemainder(dividingBy: unitLength)
    return Int(whole) + (rest > 0 ? 1 : 0)
  }
}
