import AacornSystem

/// Durations and points in time in human notation.
enum TimeText {
  /// The longest recording that can be requested: a year.
  static let limit = 366 * 86_400_000

  /// Parses `90`, `10s`, `1.5m`, `2h`, `500ms`, `1h30m` or `1:30:00` into milliseconds; nil if it
  /// is none of these, finer, or longer than a year.
  static func milliseconds(_ text: String) -> Int? {
    guard let time = nanoseconds(text), time % 1_000_000 == 0 else { return nil }
    return time / 1_000_000
  }

  /// Parses the same into nanoseconds, which nine decimals of a second are.
  static func nanoseconds(_ text: String) -> Int? {
    if text.utf8.contains(UInt8(ascii: ":")) { return clock(text) }
    guard let last = text.utf8.last else { return nil }
    // A number alone means seconds.
    return isNumeral(last) ? part(text[...], unit: second) : sum(text[...])
  }

  private static let second = 1_000_000_000
  private static let nanosecondLimit = limit * 1_000_000

  private static func sum(_ text: Substring) -> Int? {
    var rest = text
    var total = 0
    while !rest.isEmpty {
      let number = rest.prefix { $0.utf8.allSatisfy(isNumeral) }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { !$0.utf8.allSatisfy(isNumeral) }
      rest = rest.dropFirst(unit.count)
      guard let scale = scale(unit), let time = part(number, unit: scale) else { return nil }
      total += time
      if total > nanosecondLimit { return nil }
    }
    return total
  }

  private static func scale(_ unit: Substring) -> Int? {
    switch unit {
    case "ms": second / 1000
    case "s", "sec": second
    case "m", "min": 60 * second
    case "h": 3600 * second
    case "d": 86_400 * second
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
        let time = part(field, unit: second),
        index == 0 || time < 60 * second
      else { return nil }
      // Below 60 years.
      total = total * 60 + time
      if total > nanosecondLimit { return nil }
    }
    return total
  }

  /// So many units, each of which has this many nanoseconds; nil if that is no whole number of
  /// them, or longer than a year.
  private static func part(_ number: Substring, unit: Int) -> Int? {
    let fields = number.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = fields.first, let whole = digits(first) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    if overflow || product > nanosecondLimit { return nil }
    guard fields.count == 2 else { return product }
    guard let fraction = digits(fields[1]) else { return nil }
    var denominator = 1
    for _ in 0..<fields[1].count { denominator *= 10 }
    // The fraction is less than 1, and what it is of the unit less than that.
    let (quotient, remainder) = denominator.dividingFullWidth(
      fraction.multipliedFullWidth(by: unit))
    let sum = product + quotient
    return remainder == 0 && sum <= nanosecondLimit ? sum : nil
  }

  /// A number of up to twelve digits.
  private static func digits(_ text: some Collection<UInt8>) -> Int? {
    let zero = UInt8(ascii: "0")
    guard (1...12).contains(text.count),
      text.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - zero) }
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
