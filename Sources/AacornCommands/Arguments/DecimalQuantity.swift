import AacornSystem

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
