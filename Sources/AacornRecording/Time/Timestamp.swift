import AacornSystem

/// Points in time as text and as numbers in a file.
package enum Timestamp {
  /// Returns text such as `2026-03-01T12:34:56.789Z` for nanoseconds since the start of 1970.
  package static func iso8601(_ nanoseconds: Int64) -> String {
    let date = System.date(at: nanoseconds, isUniversal: true)
    let rest = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
    return "\(date.year)-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + "\(padded(date.hour, 2)):\(padded(date.minute, 2)):\(padded(date.second, 2))"
      + ".\(padded(Int(rest / 1_000_000), 3))Z"
  }

  /// Returns a default file name in local time: `recording-20260301-123456`.
  package static func recordingName(_ nanoseconds: Int64) -> String {
    let date = System.date(at: nanoseconds, isUniversal: false)
    return "recording-\(date.year)\(padded(date.month, 2))\(padded(date.day, 2))"
      + "-\(padded(date.hour, 2))\(padded(date.minute, 2))\(padded(date.second, 2))"
  }

  /// Seconds since the start of 1904, as used in MP4 files.
  static func movieSeconds(_ nanoseconds: Int64) -> UInt64 {
    UInt64(max(0, nanoseconds / 1_000_000_000 + 2_082_844_800))
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
