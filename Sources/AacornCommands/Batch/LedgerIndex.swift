import AacornRecording
import AacornSystem

/// Where the last line of a ledger about each of its outputs begins, all of it in memory.
///
/// It is for lines that nobody knows beforehand; those of a file have `KnownPlaces`.
struct LedgerIndex {
  private var places = NumberTable()

  /// Looks through a ledger.
  mutating func fill(
    from path: String, _ interruption: Interruption
  ) throws(CommandFailure) {
    let reader = try LedgerLines(path, interruption)
    while let (bytes, offset) = try reader.next() {
      guard let output = LedgerLines.output(in: bytes) else { continue }
      add(ManifestLine.number(of: output), at: offset)
    }
  }

  /// Adds a line that has just been written.
  mutating func add(_ number: UInt64, at place: Int) {
    places.insert(number)
    places.setValue(of: number, to: place)
  }

  /// Where the last line about an output begins; nil if there is none.
  func place(of number: UInt64) -> Int? { places.value(of: number) }
}

/// Numbers with a value each, side by side in memory.
struct NumberTable {
  private var slots: [(number: UInt64, value: Int)] = []
  private(set) var count = 0

  private static let none = -1

  private func slot(of number: UInt64) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: number) & mask
    // Zero marks an empty slot; no number is zero.
    while slots[index].number != 0 && slots[index].number != number { index = (index + 1) & mask }
    return index
  }

  /// Adds a number; false if it is there.
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
