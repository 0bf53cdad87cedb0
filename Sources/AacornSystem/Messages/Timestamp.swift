/// Points in time as text and as numbers in a file.
package enum Timestamp {
  /// Returns text such as `2026-03-01T12:34:56.789Z` for nanoseconds since the start of 1970.
  package static func iso8601(_ nanoseconds: Int64) -> String {
    let (day, time) = fields(nanoseconds, isUniversal: true)
    let rest = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
    let milliseconds = QuantityText.padded(Int(rest / 1_000_000), to: 3)
    return day.joined(separator: "-") + "T" + time.joined(separator: ":") + ".\(milliseconds)Z"
  }

  /// Returns a default file name in local time: `recording-20260301-123456`.
  package static func recordingName(_ nanoseconds: Int64) -> String {
    let (day, time) = fields(nanoseconds, isUniversal: false)
    return "recording-" + day.joined() + "-" + time.joined()
  }

  private static func fields(
    _ nanoseconds: Int64, isUniversal: Bool
  ) -> (day: [String], time: [String]) {
    let date = System.date(at: nanoseconds, isUniversal: isUniversal)
    func padded(_ number: Int) -> String { QuantityText.padded(number, to: 2) }
    return (
      [date.year, date.month, date.day].map(padded),
      [date.hour, date.minute, date.second].map(padded)
    )
  }
}
