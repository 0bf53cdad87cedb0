import AacornRecording
import AacornSystem

/// The offsets of the last entry about each output of a ledger, in memory.
///
/// Used for lines from standard input, which are not known in advance. Files use `LedgerOffsets`.
struct LedgerIndex {
  private var offsets = NumberTable()

  /// Adds all lines of a ledger.
  mutating func fill(
    from path: String, _ interruption: Interruption
  ) throws(CommandFailure) {
    let reader = try LedgerLines(path, interruption)
    while let (bytes, offset) = try reader.next() {
      guard let output = LedgerLines.output(in: bytes) else { continue }
      add(ManifestLine.number(of: output), at: offset)
    }
  }

  /// Adds the offset of a new ledger line.
  mutating func add(_ number: UInt64, at offset: Int) {
    offsets.insert(number)
    offsets.setValue(of: number, to: offset)
  }

  /// Returns the offset of the last entry about an output, or nil.
  func offset(of number: UInt64) -> Int? { offsets.value(of: number) }
}

/// A hash table of numbers with a value each, in contiguous memory.
struct NumberTable {
  private var slots: [(number: UInt64, value: Int)] = []
  private(set) var count = 0

  private static let none = -1

  private func slot(of number: UInt64) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: number) & mask
    // Zero marks an empty slot; callers replace the number 0 by 1.
    while slots[index].number != 0 && slots[index].number != number { index = (index + 1) & mask }
    return index
  }

  /// Inserts a number; returns false if it exists.
  @discardableResult
  mutating func insert(_ number: UInt64) -> Bool {
    if count * 2 >= slots.count { grow() }
    let number = max(number, 1)
    let index = slot(of: number)
    if slots[index].number == number { return false }
    slots[index] = (number, Self.none)
    count += 1
    return true
  }

  func contains(_ number: UInt64) -> Bool {
    !slots.isEmpty && slots[slot(of: max(number, 1))].number != 0
  }

  mutating func setValue(of number: UInt64, to value: Int) {
    if slots.isEmpty { return }
    let index = slot(of: max(number, 1))
    if slots[index].number != 0 { slots[index].value = value }
  }

  func value(of number: UInt64) -> Int? {
    if slots.isEmpty { return nil }
    let slot = slots[slot(of: max(number, 1))]
    return slot.number == 0 || slot.value == Self.none ? nil : slot.value
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: (0, Self.none), count: max(64, old.count * 2))
    for entry in old where entry.number != 0 { slots[slot(of: entry.number)] = entry }
  }
}
