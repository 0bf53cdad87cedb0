/// Items that are found several at a time and taken one by one.
///
/// Once all have been taken, appended items reuse their memory.
package struct PendingItems<Item: Sendable>: Sendable {
  /// The items; those before `nextIndex` have been taken, but still count.
  ///
  /// Only append to it; `replace` assigns other items.
  @usableFromInline package var list: [Item] = []
  @usableFromInline var nextIndex = 0

  package init() {}

  /// Returns the next item, or nil if all have been taken.
  @inlinable
  package mutating func take() -> Item? {
    if nextIndex < list.count {
      nextIndex += 1
      return list[nextIndex - 1]
    }
    list.removeAll(keepingCapacity: true)
    nextIndex = 0
    return nil
  }

  /// Replaces the items, all of which must have been taken.
  mutating func replace(_ items: [Item]) {
    precondition(nextIndex == list.count)
    list = items
    nextIndex = 0
  }
}
