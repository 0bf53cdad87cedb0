import AacornSystem

/// Codes that let one browser in each, once.
///
/// One stands in the address that the studio prints; it is good until it is used. Another one is
/// what a browser is started with: with what arguments a program runs can be seen by everybody on
/// the machine, so by the time that somebody else could use what he has seen, it is worth nothing.
final class OpeningCodes: Sendable {
  /// What has become of a code that somebody shows.
  enum Fate { case unknown, good, taken }

  private struct Entry {
    let code: String
    /// On the clock that never jumps; nil if it is good until it is used.
    let endTime: Int64?
    var isTaken = false
  }

  private let entries = Lock<[Entry]>([])

  /// Nanoseconds for which a browser may take to start.
  static let launchLifetime: Int64 = 120_000_000_000
  /// Codes that are remembered, the used ones included.
  static let limit = 64

  /// A code that is good until it is used.
  func make() -> String { add(endTime: nil) }

  /// A code for a browser that is being started; the one for the browser before is no more.
  func makeForLaunch(now: Int64 = System.nanoseconds) -> String {
    withdrawLaunch()
    return add(endTime: now + Self.launchLifetime)
  }

  private func add(endTime: Int64?) -> String {
    let code = RandomIdentifier.make(byteCount: 16)
    entries.withLock { entries in
      entries.append(Entry(code: code, endTime: endTime))
      if entries.count > Self.limit { entries.removeFirst() }
    }
    return code
  }

  /// What somebody shows: if it is good, it is taken from now on.
  func take(_ shown: String, now: Int64 = System.nanoseconds) -> Fate {
    entries.withLock { entries in
      guard let index = Self.index(of: shown, in: entries) else { return .unknown }
      if entries[index].isTaken { return .taken }
      if let endTime = entries[index].endTime, now >= endTime { return .unknown }
      entries[index].isTaken = true
      return .good
    }
  }

  /// No browser is started any more; a code that was taken is remembered.
  func withdrawLaunch() {
    entries.withLock { $0.removeAll { $0.endTime != nil && !$0.isTaken } }
  }

  /// Looks at all of them, so that the time it takes tells nothing.
  private static func index(of shown: String, in entries: [Entry]) -> Int? {
    var found: Int?
    for (index, entry) in entries.enumerated() where StudioGuard.areEqual(shown, entry.code) {
      found = index
    }
    return found
  }
}
