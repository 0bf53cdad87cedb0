/// Limits how often a unit is replaced because its route has changed.
///
/// A unit may change the route itself, as voice processing does, and following every such change
/// would never end.
struct CoreAudioRebuilds: Sendable, Equatable {
  /// The maximum number of replacements per period (in nanoseconds): more than any user causes.
  private static let maxCount = 8
  private static let period: Int64 = 10_000_000_000

  /// The times of the last replacements, in order.
  private var times: [Int64] = []

  /// Records a replacement; returns false if the replacement must wait.
  mutating func begin(at time: Int64) -> Bool {
    times.removeAll { $0 <= time - Self.period }
    guard times.count < Self.maxCount else { return false }
    times.append(time)
    return true
  }
}
