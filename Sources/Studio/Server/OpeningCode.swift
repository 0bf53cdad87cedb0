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
      guard let code = present, now < code.endTime, StudioGuard.areEqual(shown, code.code) else {
        return false
      }
      present = nil
      return true
    }
  }
}
