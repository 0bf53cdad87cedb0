import AacornSystem

/// One-time codes, each of which admits one browser.
///
/// The address that the studio prints contains a code that is valid until it is used. A second code
/// is passed to a browser when it is launched. Every user of the machine can see a program's
/// arguments, but the browser has used the code before another user can.
final class OpeningCodes: Sendable {
  /// The state of a presented code.
  enum CodeState { case unknown, good, taken }

  private struct Entry {
    let code: String
    /// The time at which the code expires, on the monotonic clock; nil if it is valid until it is
    /// used.
    let endTime: Int64?
    var isTaken = false
  }

  private let entries = Lock<[Entry]>([])

  /// Nanoseconds that a browser may take to start.
  static let launchLifetime: Int64 = 120_000_000_000
  /// The maximum number of stored codes, including used ones.
  static let limit = 64

  /// Creates a code that is valid until it is used.
  func make() -> String { add(endTime: nil) }

  /// Creates a code for a browser that is being launched, and invalidates the previous such code.
  func makeForLaunch(now: Int64 = System.nanoseconds) -> String {
    invalidateLaunchCode()
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

  /// Checks a presented code, and marks it as used if it is valid.
  func take(_ shown: String, now: Int64 = System.nanoseconds) -> CodeState {
    entries.withLock { entries in
      guard let index = Self.index(of: shown, in: entries) else { return .unknown }
      if entries[index].isTaken { return .taken }
      if let endTime = entries[index].endTime, now >= endTime { return .unknown }
      entries[index].isTaken = true
      return .good
    }
  }

  /// Invalidates an unused code for launching a browser; a used code remains stored.
  func invalidateLaunchCode() {
    entries.withLock { $0.removeAll { $0.endTime != nil && !$0.isTaken } }
  }

  /// Returns the index of a code, and always compares all codes, so that the time reveals nothing.
  private static func index(of shown: String, in entries: [Entry]) -> Int? {
    var found: Int?
    for (index, entry) in entries.enumerated() where StudioGuard.areEqual(shown, entry.code) {
      found = index
    }
    return found
  }
}
