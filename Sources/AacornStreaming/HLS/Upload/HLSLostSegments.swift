/// The numbers of the segments that were never uploaded.
///
/// A segment counts once for all renditions. Consecutive numbers are stored as one range, so that
/// an outage of days needs no additional memory.
struct HLSLostSegments: Sendable {
  /// The numbers in ascending order.
  ///
  /// Ranges neither overlap nor adjoin.
  private var ranges: [ClosedRange<Int>] = []

  /// The number of lost segments.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Records a lost segment of any rendition.
  mutating func insert(_ number: Int) {
    let index = ranges.firstIndex { number <= $0.upperBound + 1 } ?? ranges.count
    guard index < ranges.count, ranges[index].lowerBound <= number + 1 else {
      return ranges.insert(number...number, at: index)
    }
    var range = ranges[index]
    range = min(range.lowerBound, number)...max(range.upperBound, number)
    // The segment may have filled the gap before the next range, so join both ranges.
    if index + 1 < ranges.count, ranges[index + 1].lowerBound == range.upperBound + 1 {
      range = range.lowerBound...ranges.remove(at: index + 1).upperBound
    }
    ranges[index] = range
  }
}
