/// Points in time as text.
package enum Timestamp {
  /// `2026-03-01T12:34:56.789Z` for nanoseconds since the start of 1970.
  package static func iso8601(_ nanoseconds: Int64) -> String {
    let parts = date(nanoseconds)
    let thousandths = parts.nanoseconds / 1_000_000
    return "\(parts.year)-\(padded(parts.month, 2))-\(padded(parts.day, 2))T"
      + "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
      + ".\(padded(thousandths, 3))Z"
  }

  /// Seconds since the start of 1904, as MP4 files count.
  static func movieSeconds(_ nanoseconds: Int64) -> UInt64 {
    UInt64(max(0, nanoseconds / 1_000_000_000 + 2_082_844_800))
  }

  private struct Parts {
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var second = 0
    var nanoseconds = 0
  }

  private static func date(_ nanoseconds: Int64) -> Parts {
    var parts = Parts()
    let all = Int(nanoseconds)
    parts.nanoseconds = ((all % 1_000_000_000) + 1_000_000_000) % 1_000_000_000
    let seconds = (all - parts.nanoseconds) / 1_000_000_000
    let second = ((seconds % 86_400) + 86_400) % 86_400
    (parts.hour, parts.minute, parts.second) = (second / 3600, second / 60 % 60, second % 60)
    // Days of the Gregorian calendar in eras of 400 years, which all have 146 097 of them and are
    // taken to begin on a first of March, so that a leap day is the last of its year.
    let day = (seconds - second) / 86_400 + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let dayOfEra = day - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    parts.day = dayOfYear - (153 * month + 2) / 5 + 1
    parts.month = month < 10 ? month + 3 : month - 9
    parts.year = year + era * 400 + (parts.month <= 2 ? 1 : 0)
    return parts
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
