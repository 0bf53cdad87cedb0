import AacornSignal

/// Chooses each frame's window sequence, one frame ahead (ISO/IEC 14496-3, 4.6.11.3).
///
///     now \ next     no attack      attack
///     LONG, STOP     ONLY_LONG      LONG_START
///     START, SHORT   LONG_STOP *    EIGHT_SHORT       * or EIGHT_SHORT if the attack is now
struct BlockSwitching: SegmentStage {
  private(set) var sequence: WindowSequence = .onlyLong
  /// Windows in each group of a short frame.
  private(set) var groups: [Int] = [8]
  private var hasAttackInFrame = false
  private var hasAttackInNextFrame = false

  init() { groups.reserveCapacity(8) }

  /// The attacks of three frames determine the windows of the third, whatever the previous windows.
  static var lookBack: Int { 2 }

  /// Keeps all state: the slopes of neighboring frames must match at segment boundaries as well.
  mutating func begin(atFrame index: Int) {}

  /// Advances by one frame; `attack` states whether the frame after it has an attack.
  mutating func advance(attackInNextFrame attack: Bool) {
    let previous = sequence
    hasAttackInFrame = hasAttackInNextFrame
    hasAttackInNextFrame = attack
    if hasAttackInFrame && previous.hasShortRightSlope {
      sequence = .eightShort
    } else if hasAttackInNextFrame {
      sequence = previous.hasShortRightSlope ? .eightShort : .longStart
    } else {
      sequence = previous.hasShortRightSlope ? .longStop : .onlyLong
    }
  }

  /// Divides the eight windows of a short frame into groups of similar energy.
  ///
  /// All windows of a group get the noise that the quietest one masks, which wastes bits on the
  /// others: half a bit per line for each doubling of the energy. An additional group costs
  /// scalefactors. The cheapest division is a shortest path from window to window.
  mutating func divide(energies: SIMD8<Float>) {
    let audible = energies + 1024
    let levels = SIMD8(
      lowHalf: ElementaryFunctions.log2(audible.lowHalf),
      highHalf: ElementaryFunctions.log2(audible.highHalf))
    var cost = SIMD8<Float>(repeating: .infinity)
    var length = SIMD8<Int>.zero
    for last in 0..<8 {
      var minimum = Float.infinity
      var sum: Float = 0
      for first in stride(from: last, through: 0, by: -1) {
        minimum = min(minimum, levels[first])
        sum += levels[first]
        let count = last - first + 1
        let price =
          (first > 0 ? cost[first - 1] : 0) + Self.groupCost + sum - minimum * Float(count)
        if price < cost[last] {
          cost[last] = price
          length[last] = count
        }
      }
    }
    groups.removeAll(keepingCapacity: true)
    var last = 7
    while last >= 0 {
      groups.insert(length[last], at: 0)
      last -= length[last]
    }
  }

  /// The cost of one more group's scalefactors.
  ///
  /// The unit is the cost of a window with twice the energy of the quietest one in its group.
  private static let groupCost: Float = 6
}
