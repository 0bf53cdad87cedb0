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
  fileprivate static let width = GridActivity.span + 1
  fileprivate static let borderSlotCount = 20
  /// The maximum number of borders that are coded from each side.
  fileprivate static let maxStepCount = 3
  fileprivate static let frameSlots = GridActivity.frameSlots

  /// The distortion from slot a to slot b, at a · 29 + b.
  var distortions = [Float](repeating: 0, count: width * width)
  private var following = [Float](repeating: 0, count: width)
  private var front = [Path](repeating: Path(), count: (maxStepCount + 1) * borderSlotCount)
  private var back = [Path](repeating: Path(), count: borderSlotCount)
  private var longerBack = [Path](repeating: Path(), count: borderSlotCount)

  /// A path from one border to another.
  fileprivate struct Path {
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
    precondition(distortions.count >= Self.width * Self.width)
    return unsafe Self.withPaths(
      distortions, following: &following, front: &front, back: &back, longerBack: &longerBack
    ) { paths in
      unsafe paths.find(start: start, endsAtFrameEnd: endsAtFrameEnd, policy)
    }
  }

  @inline(__always)
  private static func withPaths(
    _ distortions: UnsafePointer<Float>, following: UnsafeMutablePointer<Float>,
    front: UnsafeMutablePointer<Path>, back: UnsafeMutablePointer<Path>,
    longerBack: UnsafeMutablePointer<Path>, _ body: (inout Paths) -> UInt32
  ) -> UInt32 {
    var paths = unsafe Paths(
      distortions: distortions, following: following, front: front, back: back,
      longerBack: longerBack)
    return unsafe body(&paths)
  }

  /// The paths of one search, and the steps that extend them.
  @unsafe
  fileprivate struct Paths {
    let distortions: UnsafePointer<Float>
    /// For each slot from 16 on, the lowest cost of all slots after it.
    let following: UnsafeMutablePointer<Float>
    /// For each number of steps, paths from the front to each slot.
    let front: UnsafeMutablePointer<Path>
    /// Paths from each slot to the end, and those with one step more.
    var back, longerBack: UnsafeMutablePointer<Path>
    var best = Path()

    @inline(__always)
    func distortion(_ start: Int, _ end: Int) -> Float {
      unsafe distortions[start &* GridSearch.width &+ end]
    }
  }
}

extension GridSearch.Paths {
  /// Finds the borders of a frame.
  fileprivate mutating func find(
    start: Int, endsAtFrameEnd: Bool, _ policy: GridPolicy
  ) -> UInt32 {
    let price = policy.envelope
    let frameSlots = GridSearch.frameSlots
    unsafe computeFollowingCosts(price)
    // The result if distortions are NaN.
    unsafe best = .init(borders: 1 << UInt32(start) | 1 << UInt32(frameSlots))
    if start == 0 { unsafe tryEven(policy) }
    unsafe makeFront(start, price)
    for end in frameSlots...(endsAtFrameEnd ? frameSlots : frameSlots + 3) {
      unsafe back.update(repeating: .init(), count: GridSearch.borderSlotCount)
      unsafe back[end] = .init(cost: following[end] + policy.unevenness, borders: 1 << UInt32(end))
      for steps in 0...GridSearch.maxStepCount {
        // Five envelopes have four borders between them.
        unsafe join(
          from: start, frontSteps: min(GridSearch.maxStepCount, 4 - steps), to: end, price: price)
        if steps < GridSearch.maxStepCount { unsafe stepBack(from: start, to: end, price: price) }
      }
    }
    return unsafe best.borders
  }

  /// Computes the lowest costs from slot 16 on, with borders at any slots.
  private func computeFollowingCosts(_ price: Float) {
    let last = GridSearch.width - 1
    unsafe following[last] = 0
    for slot in stride(from: last - 1, through: GridSearch.frameSlots, by: -1) {
      var minimum = Float.infinity
      for next in slot + 1...last {
        let cost = unsafe distortion(slot, next) + price + following[next]
        if cost < minimum { minimum = cost }
      }
      unsafe following[slot] = minimum
    }
  }

  /// Tries one, two or four envelopes of the same length.
  private mutating func tryEven(_ policy: GridPolicy) {
    var count = 1
    while count <= 4 {
      let length = GridSearch.frameSlots / count
      var path = unsafe GridSearch.Path(cost: following[GridSearch.frameSlots], borders: 1)
      for envelope in 1...count {
        let end = length * envelope
        unsafe path.cost += distortion(end - length, end) + policy.envelope
        path.borders |= 1 << UInt32(end)
      }
      if count == 1 { path.cost += policy.fineSteps }
      if unsafe path.cost < best.cost { unsafe best = path }
      count *= 2
    }
  }

  /// Builds paths of at most 0, 1, 2 and 3 steps from the front.
  private func makeFront(_ start: Int, _ price: Float) {
    let slotCount = GridSearch.borderSlotCount
    unsafe front.update(repeating: .init(), count: slotCount)
    unsafe front[start] = .init(cost: 0, borders: 1 << UInt32(start))
    for steps in 1...GridSearch.maxStepCount {
      let from = unsafe front + (steps &- 1) &* slotCount
      let to = unsafe from + slotCount
      unsafe to.update(from: from, count: slotCount)
      for slot in stride(from: start, to: slotCount - 2, by: 2) {
        let path = unsafe from[slot]
        guard unsafe path.cost < best.cost else { continue }
        for next in stride(from: slot + 2, to: min(slot + 9, slotCount), by: 2) {
          let cost = unsafe path.cost + distortion(slot, next) + price
          guard unsafe cost < to[next].cost else { continue }
          unsafe to[next] = .init(cost: cost, borders: path.borders | 1 << UInt32(next))
        }
      }
    }
  }

  /// Extends the paths to the end by a step.
  private mutating func stepBack(from start: Int, to end: Int, price: Float) {
    unsafe longerBack.update(repeating: .init(), count: GridSearch.borderSlotCount)
    for slot in stride(from: end, to: start + 2, by: -2) {
      let path = unsafe back[slot]
      guard unsafe path.cost < best.cost else { continue }
      for next in stride(from: slot - 2, to: max(start, slot - 9), by: -2) {
        let cost = unsafe path.cost + distortion(next, slot) + price
        guard unsafe cost < longerBack[next].cost else { continue }
        unsafe longerBack[next] = .init(cost: cost, borders: path.borders | 1 << UInt32(next))
      }
    }
    unsafe swap(&back, &longerBack)
  }

  /// Joins paths from the front, of at most `frontSteps` steps, with paths to the end.
  private mutating func join(from start: Int, frontSteps: Int, to end: Int, price: Float) {
    let row = unsafe front + frontSteps &* GridSearch.borderSlotCount
    for slot in stride(from: end, to: start, by: -2) {
      let path = unsafe back[slot]
      guard unsafe path.cost < best.cost else { continue }
      for before in stride(from: start, to: slot, by: 2) {
        let other = unsafe row[before]
        let cost = unsafe other.cost + distortion(before, slot) + price + path.cost
        guard unsafe cost < best.cost else { continue }
        unsafe best = .init(cost: cost, borders: other.borders | path.borders)
      }
    }
  }
}
