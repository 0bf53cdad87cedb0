// Text as bytes, to keep a browser's module small.
extension [UInt8] {
  /// Appends a text known at compile time.
  package mutating func append(text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends an integer in decimal.
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

  /// Appends a count and its noun: “1 byte”, “2 bytes”.
  package mutating func append(_ number: Int, of noun: StaticString) {
    append(number: number)
    append(UInt8(ascii: " "))
    append(text: noun)
    if number != 1 { append(UInt8(ascii: "s")) }
  }
}
