import Testing

@testable import AacornStreaming

/// The number of lost segments does not depend on the order of the reports.
struct HLSLostSegmentsTests {
  private static func count(_ numbers: [Int]) -> Int {
    var lost = HLSLostSegments()
    for number in numbers { lost.insert(number) }
    return lost.count
  }

  @Test func eachIsCountedOnce() {
    var lost = HLSLostSegments()
    #expect(lost.count == 0)
    for number in [4, 4, 9, 4, 9] { lost.insert(number) }
    #expect(lost.count == 2)
  }

  /// Tests all orders of these numbers, with a repetition of every number at the end.
  @Test(arguments: [[0, 1, 2, 3, 4], [0, 1, 3, 4, 6], [7, 9, 11, 12, 20]])
  func theOrderDoesNotMatter(numbers: [Int]) {
    var orders: [[Int]] = [[]]
    for _ in numbers {
      orders = orders.flatMap { order in
        numbers.filter { !order.contains($0) }.map { order + [$0] }
      }
    }
    #expect(orders.count == 120)
    for order in orders {
      for length in 0...order.count {
        let part = Array(order.prefix(length))
        #expect(Self.count(part) == length && Self.count(part + part) == length, "\(part)")
      }
    }
  }
}
