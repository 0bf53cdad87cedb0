/// A record of a journal: a line of text that always has the same length.
struct JournalRecord: Equatable {
  /// The number of an output; 0 if there is none.
  let number: UInt64
  /// How often the program ended while it was in work; 0 as long as it is.
  var endingCount: Int

  static let none = JournalRecord(number: 0, endingCount: 0)

  /// The number that stands for an output, which is never 0.
  static func key(_ number: UInt64) -> UInt64 { max(1, number) }

  /// More are not counted: no run waits for so many, and no line of a ledger tells of a thousand.
  static let mostEndings = 200

  private static let numberDigits = 16
  private static let countDigits = 3
  static let byteCount = numberDigits + countDigits + 2

  init(number: UInt64, endingCount: Int) {
    self.number = number
    self.endingCount = min(endingCount, Self.mostEndings)
  }

  /// Such as `00c0ffee00c0ffee 001`, with the end of the line.
  var bytes: [UInt8] {
    func digits(_ value: UInt64, _ count: Int, radix: Int) -> [UInt8] {
      let text = Array(String(value, radix: radix).utf8)
      return Array(repeating: UInt8(ascii: "0"), count: count - text.count) + text
    }
    return digits(number, Self.numberDigits, radix: 16) + [UInt8(ascii: " ")]
      + digits(UInt64(endingCount), Self.countDigits, radix: 10) + [UInt8(ascii: "\n")]
  }

  /// Reads what `bytes` has written; nil if it is something else.
  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == Self.numberDigits,
      let number = UInt64(parts[0], radix: 16), parts[1].last == "\n",
      parts[1].utf8.count == Self.countDigits + 1, let count = Int(parts[1].dropLast()), count >= 0
    else { return nil }
    self.init(number: number, endingCount: count)
  }
}
