/// How much a server may say to one who publishes: little all the time, more now and then.
///
/// Such a server has some kilobytes to say when it takes the stream, and then a few bytes a minute.
/// One that talks without end would have all of it read, decrypted and answered, and so take a core
/// of this machine.
struct TalkAllowance {
  /// Bytes that may come at once.
  static let burst = 128_000
  /// Bytes a second that may come forever.
  static let bytesPerSecond = 16_000

  private var rest = burst
  /// Up to when `rest` has grown, in nanoseconds; nil before the first bytes.
  private var time: Int64?

  /// Takes note of bytes that have come; false if they are too many.
  mutating func take(_ count: Int, at now: Int64) -> Bool {
    if let time {
      // Ten seconds fill it, and the product of a longer time could be too large.
      let elapsed = max(0, min(now - time, 10_000_000_000))
      rest = min(Self.burst, rest + Int(elapsed * Int64(Self.bytesPerSecond) / 1_000_000_000))
    }
    time = now
    rest -= count
    return rest >= 0
  }
}
