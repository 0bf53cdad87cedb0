// Text as bytes: what a browser's module can afford.
extension [UInt8] {
  /// Appends a text that is known when the program is compiled.
  package mutating func append(words: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount))
  }

  /// Appends a whole number in decimals.
  package mutating func append(number: some BinaryInteger) {
    var rest = Int64(clamping: number).magnitude
    if number < 0 { append(UInt8(ascii: "-")) }
    let first = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[first...].reverse()
  }

  /// Appends a number and what there are so many of: “1 byte”, “2 bytes”.
  package mutating func append(_ number: Int, of noun: StaticString) {
    append(number: number)
    append(UInt8(ascii: " "))
    append(words: noun)
    if number != 1 { append(UInt8(ascii: "s")) }
  }
}
