/// Chooses each frame's window sequence, one frame ahead (ISO/IEC 14496-3, 4.6.11.3).
///
///     now \ next     no attack      attack
///     LONG, STOP     ONLY_LONG      LONG_START
///     START, SHORT   LONG_STOP *    EIGHT_SHORT       * or EIGHT_SHORT if the attack is now
struct BlockSwitching: Sendable {
  private(set) var sequence: WindowSequence = .onlyLong
  /// Windows in each group of a short frame.
  private(set) var groups: [Int] = [8]
  private var attackNow: Int?
  private var attackNext: Int?

  /// Moves on by one frame; `attack` is the attack window of the frame after the one decided now.
  mutating func advance(attackInNextFrame attack: Int?) {
    let previous = sequence
    attackNow = attackNext
    attackNext = attack
    if attackNow != nil && previous.endsShort {
      sequence = .eightShort
    } else if attackNext != nil {
      sequence = previous.endsShort ? .eightShort : .longStart
    } else {
      sequence = previous.endsShort ? .longStop : .onlyLong
    }
    if sequence == .eightShort { groups = Self.groups(attackWindow: attackNow) }
  }

  /// Groups that separate what is before the attack from the attack and from its decay.
  private static func groups(attackWindow: Int?) -> [Int] {
    switch attackWindow {
    case 0: [1, 3, 4]
    case 1: [1, 1, 3, 3]
    case 2: [2, 1, 3, 2]
    case 3: [3, 1, 2, 2]
    case 4: [4, 1, 1, 2]
    case 5: [5, 1, 2]
    case 6: [6, 1, 1]
    case 7: [7, 1]
    default: [4, 4]
    }
  }
}
