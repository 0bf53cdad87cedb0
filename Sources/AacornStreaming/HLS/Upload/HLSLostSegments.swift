/// Which segments a server never gets, not counting renditions.
///
/// Those of one outage follow one another, so that even days of it take no memory.
struct HLSLostSegments: Sendable {
  /// Their numbers in order; ranges neither overlap nor adjoin.
  private var ranges: [ClosedRange<Int>] = []

  /// How many there are.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Notes that one is lost, in whichever rendition.
  mutating func insert(_ number: Int) {
    let index = ranges.firstIndex { number <= $0.upperBound + 1 } ?? ranges.count
    guard index < ranges.count, ranges[index].lowerBound <= number + 1 else {
      return ranges.insert(number...number, at: index)
    }
    var range = ranges[index]
    range = min(range.lowerBound, number)...max(range.upperBound, number)
    // It may have filled the gap before the next range.
    if index + 1 < ranges.count, ranges[index + 1].lowerBound == range.upperBound + 1 {
      range = range.lowerBound...ranges.remove(at: index + 1).upperBound
    }
    ranges[index] = range
  }
}
