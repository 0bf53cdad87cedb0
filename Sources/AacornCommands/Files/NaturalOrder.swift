import AacornSystem

/// The order of names in which people number files: 2 before 10, and small letters beside large ones.
enum NaturalOrder {
  /// Whether a path comes before another.
  static func precedes(_ first: String, _ second: String) -> Bool {
    let (a, b) = (PathText.encode(first), PathText.encode(second))
    if let result = compare(a, b) { return result }
    return a.lexicographicallyPrecedes(b)
  }

  /// Nil if nothing but the size of letters or leading zeros differs.
  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Bool? {
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if isDigit(a[i]), isDigit(b[j]) {
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

  /// The digits of a number without leading zeros.
  private static func number(in bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
    while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return bytes[start..<index]
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// Folders before what else begins alike, and no difference between large and small letters.
  private static func rank(_ byte: UInt8) -> UInt8 {
    if byte == UInt8(ascii: "/") { return 0 }
    return byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
  }
}
