import AacornSystem

/// The part of a manifest that a run encodes.
struct Shard: Equatable, Sendable {
  /// The index of the part, from 0.
  var index = 0
  var count = 1

  /// The maximum number of parts.
  static let maxCount = 1_000_000

  /// Returns whether the part contains the line with an output number.
  func contains(_ number: UInt64) -> Bool { number % UInt64(count) == UInt64(index) }

  /// The name, such as `00003-of-00016`, counted from 1; empty if there is only one part.
  var name: String {
    if count == 1 { return "" }
    return QuantityText.padded(index + 1, to: 5) + "-of-" + QuantityText.padded(count, to: 5)
  }
}

extension Shard {
  /// Parses a part such as `3/16`, counted from 1.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.maxCount).contains(count), (1...count).contains(index)
    else { return nil }
    self.init(index: index - 1, count: count)
  }
}
