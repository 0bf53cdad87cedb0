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
    let parts = digits.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = number(first) else { return nil }
    guard parts.count == 2 else { return capped(whole * scale) }
    var fraction = parts[1]
    while fraction.last == UInt8(ascii: "0") && fraction.count > 1 { fraction.removeLast() }
    guard let numerator = number(fraction) else { return nil }
    var denominator = 1
    for _ in 0..<fraction.count { denominator *= 10 }
    let product = numerator * scale
    guard product % denominator == 0 else { return nil }
    return capped(whole * scale + product / denominator)
  }

  /// Parses seconds such as `5` or `2.5` into milliseconds.
  static func parseMilliseconds(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0.isDigit }) else { return nil }
    return parse(text + "k")
  }

  /// Parses up to ten digits, so that no later product can overflow.
  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard (1...10).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func capped(_ value: Int) -> Int? {
    value <= 1_000_000_000 ? value : nil
  }
}

extension UInt8 {
  /// Whether the byte is a digit of ASCII.
  var isDigit: Bool { (0x30...0x39).contains(self) }
}
