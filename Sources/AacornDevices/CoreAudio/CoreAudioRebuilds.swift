/// When a unit is replaced because its route has changed: at once, unless that has happened too often.
///
/// A unit may change the route itself, as voice processing does, and following every such change
/// would never end.
struct CoreAudioRebuilds: Sendable, Equatable {
  /// How many there may be in how long, in nanoseconds: more than any person brings about.
  private static let most = 8
  private static let period: Int64 = 10_000_000_000

  /// When the last ones were, the first first.
  private var times: [Int64] = []

  /// Notes one; false if it has to wait.
  mutating func begin(at time: Int64) -> Bool {
    times.removeAll { $0 <= time - Self.period }
    guard times.count < Self.most else { return false }
    times.append(time)
    return true
  }
}
