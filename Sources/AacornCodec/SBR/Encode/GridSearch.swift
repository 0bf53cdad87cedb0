/// Finds the cheapest borders of a frame: a shortest path from border to border.
///
/// One set of paths starts from the front and one from the back, as a grid is written; a gap of any
/// length joins two of them. Distortions of the next frame's slots affect the end of this frame,
/// which may be up to three slots late.
///
///     front: 2, 4, 6, 8 apart       gap       2, 4, 6, 8 apart: back
///     |-----|-----------|------------------------|-----|-----|········
///     start                                                  end        next frame
struct GridSearch: Sendable {
  /// The number of slots at which a distortion may end, and at which a border may be.
  private static let width = GridActivity.span + 1
  private static let borderSlotCount = 20
  /// The maximum number of borders that are coded from each side.
  private static let maxStepCount = 3
  private static let frameSlots = GridActivity.frameSlots

  /// The distortion from slot a to slot b, at a · 29 + b.
  var distortions = [Float](repeating: 0, count: width * width)
  /// For each slot from 16 on, the lowest cost of all slots after it.
  private var following = [Float](repeating: 0, count: width)
  /// For each number of steps, paths from the front to each slot, and paths to the back.
  private var front = [Path](repeating: Path(), count: (maxStepCount + 1) * borderSlotCount)
  private var back = [Path](repeating: Path(), count: borderSlotCount)
  private var longerBack = [Path](repeating: Path(), count: borderSlotCount)
  private var best = Path()

  /// A path from one border to another.
  private struct Path {
    /// The distortion and the price of its envelopes.
    var cost = Float.infinity
    /// The borders: bit b is set for a border at slot b.
    var borders: UInt32 = 0
  }

  mutating func clear() {
    for index in distortions.indices { distortions[index] = 0 }
  }

  /// Returns the borders of a frame, the first at `start`; bit b is set for a border at slot b.
  ///
  /// The frame ends at slot 16 if `endsAtFrameEnd`.
  mutating func borders(start: Int, endsAtFrameEnd: Bool, _ policy: GridPolicy) -> UInt32 {
    precondition(start >= 0 && start <= 3)
    let price = policy.envelope
    computeFollowingCosts(price)
    // The result if distortions are NaN.
    best = Path(borders: 1 << UInt32(start) | 1 << UInt32(Self.frameSlots))
    if start == 0 { tryEven(policy) }
    makeFront(start, price)
    for end in Self.frameSlots...(endsAtFrameEnd ? Self.frameSlots : Self.frameSlots + 3) {
      for slot in back.indices { back[slot] = Path() }
      back[end] = Path(cost: following[end] + policy.unevenness, borders: 1 << UInt32(end))
      for steps in 0...Self.maxStepCount {
        // Five envelopes have four borders between them.
        join(start, frontSteps: min(Self.maxStepCount, 4 - steps), end, price)
        if steps < Self.maxStepCount { stepBack(start, end, price) }
      }
    }
    return best.borders
  }

  private func distortion(_ start: Int, _ end: Int) -> Float {
    distortions[start &* Self.width &+ end]
  }

  /// Computes the lowest costs from slot 16 on, with borders at any slots.
  private mutating func computeFollowingCosts(_ price: Float) {
    let last = Self.width - 1
    following[last] = 0
    for slot in stride(from: last - 1, through: Self.frameSlots, by: -1) {
      var minimum = Float.infinity
      for next in slot + 1...last {
        let cost = distortion(slot, next) + price + following[next]
        if cost < minimum { minimum = cost }
      }
      following[slot] = minimum
    }
  }

  /// Tries one, two or four envelopes of the same length.
  private mutating func tryEven(_ policy: GridPolicy) {
    var count = 1
    while count <= 4 {
      let length = Self.frameSlots / count
      var path = Path(cost: following[Self.frameSlots], borders: 1)
      for envelope in 1...count {
        let end = length * envelope
        path.cost += distortion(end - length, end) + policy.envelope
        path.borders |= 1 << UInt32(end)
      }
      if count == 1 { path.cost += policy.fineSteps }
      if path.cost < best.cost { best = path }
      count *= 2
    }
  }

  /// Builds paths of at most 0, 1, 2 and 3 steps from the front.
  private mutating func makeFront(_ start: Int, _ price: Float) {
    for index in front.indices { front[index] = Path() }
    front[start] = Path(cost: 0, borders: 1 << UInt32(start))
    for steps in 1...Self.maxStepCount {
      let (from, to) = ((steps - 1) * Self.borderSlotCount, steps * Self.borderSlotCount)
      for slot in 0..<Self.borderSlotCount { front[to + slot] = front[from + slot] }
      for slot in stride(from: start, to: Self.borderSlotCount - 2, by: 2) {
        let path = front[from + slot]
        guard path.cost < best.cost else { continue }
        for next in stride(from: slot + 2, to: min(slot + 9, Self.borderSlotCount), by: 2) {
          let cost = path.cost + distortion(slot, next) + price
          guard cost < front[to + next].cost else { continue }
          front[to + next] = Path(cost: cost, borders: path.borders | 1 << UInt32(next))
        }
      }
    }
  }

  /// Extends the paths to the end by a step.
  private mutating func stepBack(_ start: Int, _ end: Int, _ price: Float) {
    for slot in longerBack.indices { longerBack[slot] = Path() }
    for slot in stride(from: end, to: start + 2, by: -2) {
      let path = back[slot]
      guard path.cost < best.cost else { continue }
      for next in stride(from: slot - 2, to: max(start, slot - 9), by: -2) {
        let cost = path.cost + distortion(next, slot) + price
        guard cost < longerBack[next].cost else { continue }
        longerBack[next] = Path(cost: cost, borders: path.borders | 1 << UInt32(next))
      }
    }
    swap(&back, &longerBack)
  }

  /// Joins paths from the front, of at most `frontSteps` steps, with paths to the end.
  private mutating func join(_ start: Int, frontSteps: Int, _ end: Int, _ price: Float) {
    let row = frontSteps * Self.borderSlotCount
    for slot in stride(from: end, to: start, by: -2) {
      let path = back[slot]
      guard path.cost < best.cost else { continue }
      for before in stride(from: start, to: slot, by: 2) {
        let other = front[row + before]
        let cost = other.cost + distortion(before, slot) + price + path.cost
        guard cost < best.cost else { continue }
        best = Path(cost: cost, borders: other.borders | path.borders)
      }
    }
  }
}
