import Platform

/// A code that lets one browser in, once and soon.
///
/// With what arguments a program runs can be seen by everybody on the machine. So the address with
/// which a browser is started has such a code in it, and not the token: by the time that somebody
/// else could use what he has seen, it is worth nothing.
final class OpeningCode: Sendable {
  private struct Present {
    let code: String
    /// On the clock that never jumps.
    let endTime: Int64
    var isTaken = false
  }

  private let present = Lock<Present?>(nil)

  /// Nanoseconds for which a code is good: browsers take their time to start.
  static let lifetime: Int64 = 120_000_000_000

  /// A code that is good from now on; the one before is no more.
  func make(now: Int64 = System.nanoseconds) -> String {
    let code = StudioConfiguration.newToken()
    present.withLock { $0 = Present(code: code, endTime: now + Self.lifetime) }
    return code
  }

  /// Whether what somebody shows is the code; it is none any more then.
  func take(_ shown: String, now: Int64 = System.nanoseconds) -> Bool {
    present.withLock { present in
      guard let code = present, !code.isTaken, now < code.endTime,
        StudioGuard.areEqual(shown, code.code)
      else { return false }
      present?.isTaken = true
      return true
    }
  }

  /// Whether somebody was let in by a code, which is not good again.
  func isTaken(_ shown: String) -> Bool {
    present.withLock { present in
      guard let code = present, code.isTaken else { return false }
      return StudioGuard.areEqual(shown, code.code)
    }
  }

  /// Nobody needs the code any more; one that was taken is remembered.
  func withdraw() {
    present.withLock { present in
      if present?.isTaken != true { present = nil }
    }
  }
}
