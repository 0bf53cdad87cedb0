/// A journal record: a line of text of fixed length.
struct JournalRecord: Equatable {
  /// The key of an output; 0 if the record is empty.
  let number: UInt64
  /// The number of times that the program ended during work on the output; 0 in a thread's record.
  var crashCount: Int

  static let none = JournalRecord(number: 0, crashCount: 0)

  /// Returns the key of an output, which is never 0.
  static func key(_ number: UInt64) -> UInt64 { max(1, number) }

  /// The maximum count; no setting of `--retries` needs more.
  static let maxCrashCount = 200

  private static let numberDigits = 16
  private static let countDigits = 3
  static let byteCount = numberDigits + countDigits + 2

  init(number: UInt64, crashCount: Int) {
    self.number = number
    self.crashCount = min(crashCount, Self.maxCrashCount)
  }

  /// The record as text, such as `00c0ffee00c0ffee 001`, with a newline.
  var bytes: [UInt8] {
    func digits(_ value: UInt64, _ count: Int, radix: Int) -> [UInt8] {
      let text = Array(String(value, radix: radix).utf8)
      return Array(repeating: UInt8(ascii: "0"), count: count - text.count) + text
    }
    return digits(number, Self.numberDigits, radix: 16) + [UInt8(ascii: " ")]
      + digits(UInt64(crashCount), Self.countDigits, radix: 10) + [UInt8(ascii: "\n")]
  }

  /// Parses a record in the format of `bytes`; nil if it is invalid.
  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == Self.numberDigits,
      let number = UInt64(parts[0], radix: 16), parts[1].last == "\n",
      parts[1].utf8.count == Self.countDigits + 1, let count = Int(parts[1].dropLast()), count >= 0
    else { return nil }
    self.init(number: number, crashCount: count)
  }
}
