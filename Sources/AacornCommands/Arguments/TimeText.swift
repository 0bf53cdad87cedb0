import AacornSystem

/// Durations and points in time as text.
enum TimeText {
  /// The maximum duration in milliseconds: 366 days.
  static let limit = 366 * 86_400_000

  /// Parses `90`, `10s`, `1.5m`, `2h`, `500ms`, `1h30m` or `1:30:00` into milliseconds.
  ///
  /// Returns nil if the text is invalid, finer than a millisecond, or longer than 366 days.
  static func milliseconds(_ text: String) -> Int? {
    guard let time = nanoseconds(text), time % 1_000_000 == 0 else { return nil }
    return time / 1_000_000
  }

  /// Parses the forms of `milliseconds(_:)` into nanoseconds, with up to nine decimals of a second.
  static func nanoseconds(_ text: String) -> Int? {
    if text.utf8.contains(UInt8(ascii: ":")) { return clock(text) }
    guard let last = text.utf8.last else { return nil }
    // A number without a unit is in seconds.
    return isNumeral(last) ? parsePart(text[...], unit: nanosecondsPerSecond) : sum(text[...])
  }

  private static let nanosecondsPerSecond = 1_000_000_000
  private static let nanosecondLimit = limit * 1_000_000

  private static func sum(_ text: Substring) -> Int? {
    var rest = text
    var total = 0
    while !rest.isEmpty {
      let number = rest.prefix { $0.utf8.allSatisfy(isNumeral) }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { !$0.utf8.allSatisfy(isNumeral) }
      rest = rest.dropFirst(unit.count)
      guard let scale = scale(unit), let time = parsePart(number, unit: scale) else { return nil }
      total += time
      if total > nanosecondLimit { return nil }
    }
    return total
  }

  private static func scale(_ unit: Substring) -> Int? {
    switch unit {
    case "ms": nanosecondsPerSecond / 1000
    case "s", "sec": nanosecondsPerSecond
    case "m", "min": 60 * nanosecondsPerSecond
    case "h": 3600 * nanosecondsPerSecond
    case "d": 86_400 * nanosecondsPerSecond
    default: nil
    }
  }

  /// Parses `1:30` as minutes and seconds, `1:30:00` as hours, minutes and seconds.
  private static func clock(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0
    for (index, field) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard isLast || field.utf8.allSatisfy({ $0 != UInt8(ascii: ".") }),
        let time = parsePart(field, unit: nanosecondsPerSecond),
        index == 0 || time < 60 * nanosecondsPerSecond
      else { return nil }
      // At most 60 years in nanoseconds, which cannot overflow.
      total = total * 60 + time
      if total > nanosecondLimit { return nil }
    }
    return total
  }

  /// Returns a number of units in nanoseconds, where `unit` is the unit's length.
  private static func parsePart(_ number: Substring, unit: Int) -> Int? {
    DecimalQuantity.scaled(
      number.utf8, unit: unit, limit: nanosecondLimit, maxDigitCount: 12)
  }

  private static func isNumeral(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte.isDigit
  }

  // MARK: - Points in time

  /// Returns a time such as `20260301-123456` in local time, for file names.
  static func fileName(_ nanoseconds: Int64) -> String {
    let date = System.date(at: nanoseconds, isUniversal: false)
    let day = [date.month, date.day].map { QuantityText.padded($0, to: 2) }
    let time = [date.hour, date.minute, date.second].map { QuantityText.padded($0, to: 2) }
    return "\(date.year)\(day.joined())-\(time.joined())"
  }
}

/// Numbers with optional suffixes: `128k`, `128000`, `0.128M`, `44.1k`.
enum DecimalQuantity {
  /// Parses an integer; nil if the text is not a number, or is negative, fractional or above a
  /// billion.
  static func parse(_ text: String) -> Int? {
    var digits = Array(text.utf8)
    var scale = 1
    switch digits.last {
    case UInt8(ascii: "k"), UInt8(ascii: "K"): scale = 1000
    case UInt8(ascii: "m"), UInt8(ascii: "M"): scale = 1_000_000
    default: break
    }
    if scale > 1 { digits.removeLast() }
    if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
      while digits.last == UInt8(ascii: "0") && digits.count > point + 2 { digits.removeLast() }
    }
    return scaled(digits, unit: scale, limit: 1_000_000_000, maxDigitCount: 10)
  }

  /// Parses seconds such as `5` or `2.5` into milliseconds.
  static func parseMilliseconds(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0.isDigit }) else { return nil }
    return parse(text + "k")
  }

  /// Returns a decimal number of units, or nil if the result is not an integer or exceeds `limit`.
  ///
  /// The number has at most `maxDigitCount` digits on each side of its point.
  static func scaled(
    _ number: some Collection<UInt8>, unit: Int, limit: Int, maxDigitCount: Int
  ) -> Int? {
    func integer(_ digits: some Collection<UInt8>) -> Int? {
      guard (1...maxDigitCount).contains(digits.count), digits.allSatisfy(\.isDigit) else {
        return nil
      }
      return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let fields = number.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = fields.first, let whole = integer(first) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    if overflow || product > limit { return nil }
    guard fields.count == 2 else { return product }
    guard let fraction = integer(fields[1]) else { return nil }
    var denominator = 1
    for _ in 0..<fields[1].count { denominator *= 10 }
    // The fraction is less than 1, so the quotient is less than `unit`.
    let (quotient, remainder) = denominator.dividingFullWidth(
      fraction.multipliedFullWidth(by: unit))
    let sum = product + quotient
    return remainder == 0 && sum <= limit ? sum : nil
  }
}
