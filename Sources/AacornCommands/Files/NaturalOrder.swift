import AacornSystem

/// The natural order of names: 2 before 10, and lowercase next to uppercase letters.
enum NaturalOrder {
  /// Returns whether a path precedes another.
  static func precedes(_ first: String, _ second: String) -> Bool {
    let (a, b) = (PathText.encode(first), PathText.encode(second))
    if let result = compare(a, b) { return result }
    return a.lexicographicallyPrecedes(b)
  }

  /// Compares two paths; returns nil if they differ only in case or leading zeros.
  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Bool? {
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if a[i].isDigit, b[j].isDigit {
        let (x, y) = (number(in: a, from: &i), number(in: b, from: &j))
        if x.count != y.count { return x.count < y.count }
        if x != y { return x.lexicographicallyPrecedes(y) }
        continue
      }
      let (x, y) = (rank(a[i]), rank(b[j]))
      if x != y { return x < y }
      i += 1
      j += 1
    }
    let (left, right) = (a.count - i, b.count - j)
    return left == right ? nil : left < right
  }

  /// Returns the digits of a number without leading zeros.
  private static func number(in bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
    while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
    let start = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return bytes[start..<index]
  }

  /// Returns the rank of a byte: slashes before all others, and uppercase letters equal to
  /// lowercase.
  private static func rank(_ byte: UInt8) -> UInt8 {
    if byte == UInt8(ascii: "/") { return 0 }
    return byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
  }
}
