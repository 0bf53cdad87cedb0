/// The audible parts of a decoder's samples, in order.
enum AudibleRanges {
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

  /// Returns the parts shifted by `offset` samples and clipped to the `end` existing samples.
  static func moved(_ parts: [Range<Int64>], by offset: Int64, end: Int64) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for part in parts {
      // Tables may contain positions up to the largest integer.
      let (lower, isBeyondEnd) = part.lowerBound.addingReportingOverflow(offset)
      if isBeyondEnd { continue }
      let (moved, overflow) = part.upperBound.addingReportingOverflow(offset)
      let upper = part.upperBound == .max || overflow ? end : min(end, moved)
      if lower < upper { result.append(lower..<upper) }
    }
    return result
  }

  static func count(_ parts: [Range<Int64>]) -> Int64 {
    parts.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// Returns the index of the first unit after the parts; nil if they have no end.
  static func unitEnd(_ parts: [Range<Int64>], unitLength: Int64) -> Int? {
    guard let end = parts.last?.upperBound, end < .max else { return nil }
    let (whole, rest) = end.quotientAndRemainder(dividingBy: unitLength)
    return Int(whole) + (rest > 0 ? 1 : 0)
  }
}
