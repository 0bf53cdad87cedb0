import TestSignals
import Testing

@testable import AacornCodec

/// The shortest path, compared with a search of all grids.
@Suite struct GridSearchTests {
  private static let width = 29

  private static func random(_ seed: UInt64) -> [Float] {
    var random = SeededNumbers(seed: seed)
    return (0..<width * width).map { index in
      let length = Float(index % width - index / width)
      return length > 0 ? Float.random(in: 0..<2, using: &random) * length : 0
    }
  }

  /// The minimum cost of the envelopes after a border at each slot.
  private static func following(_ distortions: [Float], _ policy: GridPolicy) -> [Float] {
    var costs = [Float](repeating: 0, count: width)
    for slot in (16..<width - 1).reversed() {
      costs[slot] =
        (slot + 1..<width).map { next in
          distortions[slot * width + next] + policy.envelope + costs[next]
        }.min() ?? 0
    }
    return costs
  }

  private static func isEven(_ borders: [Int]) -> Bool {
    [[0, 16], [0, 8, 16], [0, 4, 8, 12, 16]].contains(borders)
  }

  private static func cost(
    _ borders: [Int], _ distortions: [Float], _ following: [Float], _ policy: GridPolicy
  ) -> Float {
    var cost = following[borders[borders.count - 1]] + (isEven(borders) ? 0 : policy.unevenness)
    if borders == [0, 16] { cost += policy.fineSteps }
    for (start, end) in zip(borders, borders.dropFirst()) {
      cost += distortions[start * width + end] + policy.envelope
    }
    return cost
  }

  /// The minimum cost of all grids that continue from `borders` to `end`.
  private static func least(_ borders: [Int], to end: Int, _ cost: ([Int]) -> Float) -> Float {
    let whole = borders + [end]
    var least = GridScene.isExpressible(whole) ? cost(whole) : .infinity
    guard whole.count < 6 else { return least }
    for next in borders[borders.count - 1] + 1..<end {
      least = min(least, Self.least(borders + [next], to: end, cost))
    }
    return least
  }

  @Test(arguments: 0...3, [0.5, 4] as [Float])
  func noGridCostsLess(start: Int, price: Float) {
    let policy = GridPolicy(envelope: price)
    var search = GridSearch()
    for seed in 1...2 as ClosedRange<UInt64> {
      let distortions = Self.random(seed)
      let following = Self.following(distortions, policy)
      search.distortions = distortions
      for endsAtFrameEnd in [true, false] {
        let bits = search.borders(start: start, endsAtFrameEnd: endsAtFrameEnd, policy)
        let borders = (0..<32).filter { bits >> UInt32($0) & 1 != 0 }
        #expect(borders.first == start && GridScene.isExpressible(borders), "\(borders)")
        #expect(!endsAtFrameEnd || borders.last == 16)
        let found = Self.cost(borders, distortions, following, policy)
        var best = Float.infinity
        for end in 16...(endsAtFrameEnd ? 16 : 19) {
          best = min(
            best,
            Self.least([start], to: end) { Self.cost($0, distortions, following, policy) })
        }
        #expect(abs(found - best) < 0.001, "\(borders): \(found), not \(best)")
      }
    }
  }
}
