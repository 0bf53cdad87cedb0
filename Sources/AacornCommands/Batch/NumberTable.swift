/// A hash table of 64-bit numbers, which are themselves hashes of paths, with a value for each.
struct NumberTable<Value: FixedWidthInteger> {
  /// The number in each slot; 0 marks an empty slot.
  private var numbers: [UInt64] = []
  private var values: [Value] = []
  private(set) var count = 0

  /// Accesses the value of a number, or nil if the table does not contain it.
  subscript(number: UInt64) -> Value? {
    if numbers.isEmpty { return nil }
    let slot = slot(of: number)
    return numbers[slot] == 0 ? nil : values[slot]
  }

  /// Adds a number with a value, or changes the value of a number.
  mutating func set(_ number: UInt64, to value: Value) {
    if (count + 1) * 8 > numbers.count * 7 { resize(to: max(64, numbers.count * 3 / 2)) }
    let slot = slot(of: number)
    if numbers[slot] == 0 { count += 1 }
    numbers[slot] = max(1, number)
    values[slot] = value
  }

  /// Allocates the memory for a total of `count` numbers.
  mutating func reserve(_ count: Int) {
    let slotCount = count / 7 * 8 + 64
    if slotCount > numbers.count { resize(to: slotCount) }
  }

  private mutating func resize(to slotCount: Int) {
    let (oldNumbers, oldValues) = (numbers, values)
    numbers = Array(repeating: 0, count: slotCount)
    values = Array(repeating: 0, count: slotCount)
    for (number, value) in zip(oldNumbers, oldValues) where number != 0 {
      let slot = slot(of: number)
      numbers[slot] = number
      values[slot] = value
    }
  }

  /// Returns the slot of a number, or the empty slot where it belongs.
  private func slot(of number: UInt64) -> Int {
    let number = max(1, number)
    // The upper bits select the first slot, because the lower bits select the shard of a line.
    var slot = Int(number.multipliedFullWidth(by: UInt64(numbers.count)).high)
    while numbers[slot] != 0 && numbers[slot] != number {
      slot = slot + 1 == numbers.count ? 0 : slot + 1
    }
    return slot
  }
}
