import AacornSystem

/// Durations and points in time in human notation.
enum TimeText {
  /// The longest recording that can be requested: a year.
  static let limit = 366 * 86_400_000

  /// Parses `90`, `10s`, `1.5m`, `2h`, `500ms`, `1h30m` or `1:30:00` into milliseconds; nil if it
  /// is none of these or longer than a year.
  static func milliseconds(_ text: String) -> Int? {
    if text.utf8.contains(UInt8(ascii: ":")) { return clock(text) }
    guard let last = text.utf8.last else { return nil }
    // A number alone means seconds.
    return isNumeral(last) ? part(text[...], unit: 1000) : sum(text[...])
  }

  private static func sum(_ text: Substring) -> Int? {
    var rest = text
    var total = 0
    while !rest.isEmpty {
      let number = rest.prefix { $0.utf8.allSatisfy(isNumeral) }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { !$0.utf8.allSatisfy(isNumeral) }
      rest = rest.dropFirst(unit.count)
      guard let scale = scale(unit), let milliseconds = part(number, unit: scale) else {
        return nil
      }
      total += milliseconds
      if total > limit { return nil }
    }
    return total
  }

  private static func scale(_ unit: Substring) -> Int? {
    switch unit {
    case "ms": 1
    case "s", "sec": 1000
    case "m", "min": 60_000
    case "h": 3_600_000
    case "d": 86_400_000
    default: nil
    }
  }

  /// `1:30` means minutes and seconds, `1:30:00` hours, minutes and seconds.
  private static func clock(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0
    for (index, field) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard isLast || field.utf8.allSatisfy({ $0 != UInt8(ascii: ".") }),
        let milliseconds = part(field, unit: 1000),
        index == 0 || milliseconds < 60_000
      else { return nil }
      total = total * 60 + milliseconds
      if total > limit { return nil }
    }
    return total
  }

  private static func part(_ number: Substring, unit: Int) -> Int? {
    // Thousandths of the unit, so that 1.5m is exact.
    guard let thousandths = DecimalQuantity.parseMilliseconds(String(number)) else { return nil }
    let (product, overflow) = thousandths.multipliedReportingOverflow(by: unit)
    guard !overflow, product % 1000 == 0, product / 1000 <= limit else { return nil }
    return product / 1000
  }

  private static func isNumeral(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  // MARK: - Points in time

  /// `20260301-123456` in local time, for names of files.
  static func fileName(_ nanoseconds: Int64) -> String {
    let date = System.date(at: nanoseconds, isUniversal: false)
    let day = [date.month, date.day].map { QuantityText.padded($0, to: 2) }
    let time = [date.hour, date.minute, date.second].map { QuantityText.padded($0, to: 2) }
    return "\(date.year)\(day.joined())-\(time.joined())"
  }
}
